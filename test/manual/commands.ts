import { readFileSync } from "node:fs";

export const scripts = Object.keys((JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object }).scripts);

/** Where a command's options are defined. */
const optionSources: Record<string, string> = {
  start: "packages/local-cloud/runtime/settings.ts",
  dev: "packages/local-cloud/runtime/settings.ts",
  call: "test/call/options.ts",
  admin: "functions/admin/cli.ts",
  rotate: "functions/keys/rotate-cli.ts",
  "audit:verify": "functions/audit/verify-cli.ts",
  "audit:redrive": "functions/audit/redrive-cli.ts",
  "restore:reconcile": "functions/audit/reconcile-cli.ts",
  "audit:rearchive": "functions/audit/rearchive-cli.ts",
  sentences: "packages/tools/engine/print-sentences.ts",
  preflight: "infra/preflight/cli.ts",
  synth: "infra/cli.ts",
  deploy: "infra/cli.ts",
  destroy: "infra/cli.ts",
  test: "test/run.ts",
  model: "test/model/cli.ts",
};

const options = new Map(
  Object.entries(optionSources).map(([script, file]) => {
    const text = readFileSync(file, "utf8");
    const parsed = [...text.matchAll(/["']?([a-z][a-z-]+)["']?: \{ type: "(?:string|boolean)"/g)].map(([, name = ""]) => name);
    const compared = [...text.matchAll(/includes\("--([\w-]+)"\)/g)].map(([, name = ""]) => name);
    return [script, new Set([...parsed, ...compared])] as const;
  }),
);

export const knowsOption = (script: string, option: string): boolean => options.get(script)?.has(option) ?? false;
export const anyKnowsOption = (option: string): boolean => [...options.values()].some((known) => known.has(option));

/** "npm run call -- --tenant 2" → call, ["tenant"] */
export const npmCommandsIn = (code: string): { script: string; options: string[] }[] =>
  [...code.matchAll(/\bnpm (?:run (?:--silent )?)?([\w:]+)((?: (?!&&)[^\s]+)*)/g)]
    .map(([, script = "", rest = ""]) => ({ script, options: [...rest.matchAll(/ --([a-z][\w-]*)/g)].map(([, name = ""]) => name) }))
    .filter(({ script }) => script !== "ci");

type Runner = { test: string; names: string };

/** Which test runs each command, and the text by which it can be recognized there. */
export const runners: Record<string, Runner> = {
  start: { test: "packages/local-cloud/platform.test.ts", names: '"start.ts"' },
  dev: { test: "packages/local-cloud/dev.test.ts", names: '"dev.ts"' },
  test: { test: "test/manual/circles.test.ts", names: '"test"' },
  "test:long": { test: "test/manual/circles.test.ts", names: '"long"' },
  "test:flaky": { test: "test/manual/circles.test.ts", names: '"flaky"' },
  check: { test: "test/manual/circles.test.ts", names: '"check"' },
  format: { test: "test/manual/manual.test.ts", names: "bin/oxfmt" },
  openapi: { test: "test/manual/manual.test.ts", names: "packages/contract/print-openapi.ts" },
  snippets: { test: "packages/voice-providers/snippets/print-snippets.test.ts", names: '"print-snippets.ts"' },
  sentences: { test: "packages/tools/engine/catalogue.test.ts", names: '"print-sentences.ts"' },
  call: { test: "test/call/cli.service.test.ts", names: '"cli.ts"' },
  matrix: { test: "test/matrix/matrix.service.test.ts", names: "tryServer" },
  rotate: { test: "test/alone/rotations.test.ts", names: "functions/keys/rotate-cli.ts" },
  admin: { test: "test/kit/tenant.ts", names: "functions/admin/cli.ts" },
  "audit:verify": { test: "test/api/audit/audit.rows.test.ts", names: "functions/audit/verify-cli.ts" },
  "drill:alarms": { test: "test/alone/drill-alarms.test.ts", names: '"alarms.ts"' },
  "audit:redrive": { test: "test/api/audit/audit.rows.test.ts", names: "functions/audit/redrive-cli.ts" },
  "audit:rearchive": { test: "test/api/audit/audit.rows.test.ts", names: "functions/audit/rearchive-cli.ts" },
  "restore:reconcile": { test: "test/drill/restore-steps.ts", names: '"restore:reconcile"' },
  "drill:restore": { test: "test/alone/restore.test.ts", names: "drillRestore" },
  build: { test: "test/run.ts", names: '"build"' },
  preflight: { test: "packages/local-cloud/aws/account/preflight.test.ts", names: "infra/preflight/cli.ts" },
  model: { test: "test/model/load-model.test.ts", names: '"cli.ts"' },
  synth: { test: "infra/app.test.ts", names: '"infra/cli.ts"), "synth"' },
};

/** Commands without a test, and why. */
export const untested: Record<string, string> = {
  deploy: "needs an AWS account",
  destroy: "needs an AWS account",
  bench: "measures for minutes",
  speed: "measures a running platform in Chromium",
  "speed:console": "measures for minutes in Chromium",
  screenshots: "runs the gallery project, which test:long runs",
  pictures: "rewrites web/src/features/site/pictures",
  "record:examples": "rewrites web/src/features/docs/content/examples.json",
  "record:answers": "rewrites test/kit/screen/answers.json",
};
