import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { budget } from "./budget.ts";
import { chunks } from "./chunks.ts";
import { prerender } from "./prerender/plugin.ts";

/** The API for the dev server. The platform at this origin may in turn proxy pages from the dev server. */
const apiOrigin = process.env.VITALINE_ORIGIN ?? "http://localhost:8080";
const proxied = Object.fromEntries(["/api", "/.well-known"].map((path) => [path, { target: apiOrigin, changeOrigin: true }]));

export default defineConfig(({ command }) => {
  // A build is always a production build, even if the shell or a test has set NODE_ENV.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    plugins: [react(), chunks(), prerender(), budget()],
    server: { host: "127.0.0.1", proxy: proxied },
    build: {
      manifest: true,
      // Preloading is for speed alone; Safari before 17 loads the same scripts a little later.
      modulePreload: { polyfill: false },
      // Files instead of data: URLs keep the CSP short.
      assetsInlineLimit: 0,
    },
  };
});
