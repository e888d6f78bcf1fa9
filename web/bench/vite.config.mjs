// Builds the peers of the diff view into one page of their own.
import { defineConfig } from "vite";

export default defineConfig({ root: import.meta.dirname, build: { outDir: "dist", emptyOutDir: true, target: "esnext" } });
