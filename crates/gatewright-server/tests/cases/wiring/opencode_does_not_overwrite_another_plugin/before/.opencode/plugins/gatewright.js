export const Mine = 1;
