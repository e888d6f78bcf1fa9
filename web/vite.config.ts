// Builds one script and one style sheet with fixed names: what is committed is what is embedded.
import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  publicDir: "public",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    sourcemap: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: (asset) => (asset.names.some((n) => n.endsWith(".css")) ? "app.css" : "[name][extname]"),
      },
    },
  },
});
