import { configDefaults, defineConfig } from "vitest/config";

const slow = "**/*.slow.test.ts";
const nouns = [
  "packages/**/*.test.ts",
  "functions/**/*.test.ts",
  "web/**/*.test.{ts,tsx}",
  "test/import-law/*.test.ts",
  "test/call/*.test.ts",
  "test/matrix/*.test.ts",
];
const notNouns = [...configDefaults.exclude, "packages/local-cloud/**"];
/** The tabs and dialogs of a tenant's dashboard, one by one. */
const dashboardFiles = [
  "analytics",
  "api-keys",
  "audit-tab",
  "calls",
  "fhir-providers",
  "leads",
  "looks",
  "new-key",
  "offices",
  "overview",
  "page-parts",
  "system-tab",
  "tool-console",
  "view-as",
  "webhooks-panel",
].map((name) => `test/e2e/${name}.test.ts`);
/** The parts and dialogs of the administrators' console, one by one. */
const consoleFiles = "test/e2e/admin-*.test.ts";
/** Demo data, added once. */
const globalSetup = "test/platform/seeded.setup.ts";
const minutes = (count: number) => count * 60_000;

/**
 * Suites by what they need. `unit` is for every save; `slow` are the same nouns where seconds go by: sweeps, real waiting,
 * password hashes, whole requests. Then the embedded AWS, a synthesized app, the running platform, the
 * owner's requirements one by one, a browser.
 */
export default defineConfig({
  test: {
    // Vitest would leave one processor idle, which on two is half.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "web",
          environment: "happy-dom",
          include: ["test/web/**/*.test.tsx"],
          setupFiles: "test/kit/screen/screen.setup.ts",
          isolate: false,
          testTimeout: minutes(0.5),
        },
      },
      { test: { name: "unit", include: nouns, exclude: [...notNouns, slow], testTimeout: minutes(0.5) } },
      {
        test: {
          name: "slow",
          include: nouns.map((files) => files.replace("*.test", "*.slow.test")),
          exclude: notNouns,
          testTimeout: minutes(10),
        },
      },
      { test: { name: "local-cloud", include: ["packages/local-cloud/**/*.test.ts"], testTimeout: minutes(5), hookTimeout: minutes(4) } },
      { test: { name: "infra", include: ["infra/**/*.test.ts"], testTimeout: minutes(2), hookTimeout: minutes(4) } },
      {
        test: {
          name: "platform",
          globalSetup,
          include: ["test/platform/**/*.test.ts"],
          testTimeout: minutes(15),
          hookTimeout: minutes(4),
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "requirements",
          globalSetup,
          include: ["test/requirements/**/*.test.ts"],
          testTimeout: minutes(2),
          hookTimeout: minutes(4),
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "browser",
          globalSetup,
          include: ["test/e2e/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...dashboardFiles, consoleFiles],
          testTimeout: minutes(2),
          hookTimeout: minutes(4),
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "dashboard",
          globalSetup,
          include: dashboardFiles,
          testTimeout: minutes(3),
          hookTimeout: minutes(4),
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "console",
          globalSetup,
          include: [consoleFiles],
          testTimeout: minutes(3),
          hookTimeout: minutes(4),
          fileParallelism: false,
        },
      },
    ],
  },
});
