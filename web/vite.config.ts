import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../src/sitestrata/report/ui",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // Everything stays a file of its own: inlined data addresses would need a laxer policy.
    assetsInlineLimit: 0,
  },
});
