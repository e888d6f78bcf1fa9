pub fn one() -> u32 {
    1
}

pub fn two() -> u32 {
    2
}
