import { defineConfig } from "vitest/config";

/** Four suites by what they need: nothing, a synthesized app, the running platform, a browser. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["packages/**/*.test.ts", "functions/**/*.test.ts", "web/**/*.test.{ts,tsx}", "test/*.test.ts", "test/import-law/**/*.test.ts", "test/call/**/*.test.ts"], exclude: ["packages/local-cloud/**", "**/node_modules/**"] } },
      { test: { name: "local-cloud", include: ["packages/local-cloud/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "infra", include: ["infra/**/*.test.ts"], testTimeout: 120_000 } },
      { test: { name: "platform", include: ["test/platform/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 240_000, fileParallelism: false } },
      { test: { name: "browser", include: ["test/e2e/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 240_000, fileParallelism: false } },
    ],
  },
});
