import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { budget } from "./budget.ts";
import { prerender } from "./prerender/plugin.ts";

/** Where the dev server finds the API; the platform at this origin may in turn proxy pages from here. */
const apiOrigin = process.env.VITALINE_ORIGIN ?? "http://localhost:8080";
const proxied = Object.fromEntries(["/api", "/.well-known"].map((path) => [path, { target: apiOrigin, changeOrigin: true }]));

/**
 * What is left out where nothing of it is used. The contract is tables and schemas: a page carries only those that it names. The
 * others Emotion brings for a wrapper that nothing here uses.
 */
const isPure = /\/(packages\/contract|hoist-non-react-statics|react-is|_isolated-hnrs)\//;

/** What nearly every page shows: by itself each would be a file smaller than what its loading costs. */
const isSmallPart =
  /\/@chakra-ui\/react\/dist\/esm\/components\/(badge|box|flex|link|simple-grid|stack)\/|\/icons\/(calendar-check|check|shield-check|user-plus|x)\.mjs|\/web\/src\/components\/(button-link|check-list|text-link|waiting)\.tsx/;

export default defineConfig(({ command }) => {
  // What is built is what visitors get, also when a test or a developer's shell has NODE_ENV set to something else.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    plugins: [react(), prerender(), budget()],
    server: { host: "127.0.0.1", proxy: proxied },
    build: {
      manifest: true,
      // Files, not data: addresses, so that the security policy stays short.
      assetsInlineLimit: 0,
      rolldownOptions: {
        treeshake: { moduleSideEffects: (id) => !isPure.test(id) },
        output: { codeSplitting: { groups: [{ name: "parts", test: isSmallPart }] } },
      },
    },
  };
});
