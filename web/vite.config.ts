import { realpathSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { budget } from "./budget.ts";
import { prerender } from "./prerender/plugin.ts";

/** The API for the dev server. The platform at this origin may in turn proxy pages from the dev server. */
const apiOrigin = process.env.VITALINE_ORIGIN ?? "http://localhost:8080";
const proxied = Object.fromEntries(["/api", "/.well-known"].map((path) => [path, { target: apiOrigin, changeOrigin: true }]));

/**
 * Modules without side effects: a page keeps only the parts that it uses. The contract is tables and schemas; Emotion brings the
 * others for a wrapper that is never used here.
 */
const isPure = /\/(packages\/contract|hoist-non-react-statics|react-is|_isolated-hnrs)\//;

/** Small modules of nearly every page share one chunk: a chunk of each would cost more to load than it holds. */
const isSharedPart =
  /\/@chakra-ui\/react\/dist\/esm\/components\/(badge|box|flex|link|simple-grid|stack)\/|\/icons\/(calendar-check|check|shield-check|user-plus|x)\.mjs/;
// `realpathSync` fails the build when one of them has moved.
const sharedComponents = new Set(
  ["layout/links.tsx", "layout/page-section.tsx", "feedback/waiting.tsx"].map((file) =>
    realpathSync(join(import.meta.dirname, "src/components", file)),
  ),
);

export default defineConfig(({ command }) => {
  // A build is always a production build, even if the shell or a test has set NODE_ENV.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    plugins: [react(), prerender(), budget()],
    server: { host: "127.0.0.1", proxy: proxied },
    build: {
      manifest: true,
      // Preloading is for speed alone; Safari before 17 loads the same scripts a little later.
      modulePreload: { polyfill: false },
      // Files instead of data: URLs keep the CSP short.
      assetsInlineLimit: 0,
      rolldownOptions: {
        treeshake: { moduleSideEffects: (id) => !isPure.test(id) },
        output: { codeSplitting: { groups: [{ name: "parts", test: (id) => isSharedPart.test(id) || sharedComponents.has(id) }] } },
      },
    },
  };
});
