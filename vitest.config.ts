import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const service = "**/*.service.test.ts";
const long = "**/*.long.test.ts";
const nouns = [
  "packages/**/*.test.ts",
  "functions/**/*.test.ts",
  "web/**/*.test.{ts,tsx}",
  "test/lint/*.test.ts",
  "test/call/*.test.ts",
  "test/history/*.test.ts",
  "test/matrix/*.test.ts",
  "test/model/*.test.ts",
  "test/manual/*.test.ts",
];
const notNouns = [...configDefaults.exclude, "packages/local-cloud/**"];
/** Too slow for npm test: test:long runs them. */
const slow = [
  "functions/events/project/{ended-calls,exactly-once,many-tenants,year}.service.test.ts",
  "infra/{app,stacks/account,stacks/deployments}.test.ts",
  "packages/audit/export/export-memory.service.test.ts",
  "functions/events/retry/kept-events.service.test.ts",
  "packages/audit/access/access.service.test.ts",
  "packages/erasures/erasures.service.test.ts",
  "packages/store/locks.service.test.ts",
  "packages/tools/{messaging/messaging,test/faults,test/plain-server,scheduling/offers}.service.test.ts",
  "packages/tools/{scheduleAppointment/faults,scheduleAppointment/servers,verifyPatientIdentity/servers}.service.test.ts",
  "packages/tools/verifyPatientIdentity/claim/{guessers,one-key}.service.test.ts",
  "packages/webhooks/deliveries/deliver-due.service.test.ts",
  "test/{history/history,matrix/matrix,model/cost}.service.test.ts",
];
const scenarios = "test/api/calls/scenarios.test.ts";
const slowApi = [
  "test/api/audit/{audit,exports}.test.ts",
  "test/api/calls/{model-texts,reconcile,reminders,snippets,test-calls,webhooks}.test.ts",
  "test/api/ehr/fhir.test.ts",
  "test/api/routes/{bad-input,health}.test.ts",
  "test/api/tenants/{accounts,agents,erasures,leads,mail,office-features,office-own}.test.ts",
];
const killed = "packages/local-cloud/platform.test.ts";
const witness = "packages/local-cloud/aws/dynamodb/witness.test.ts";
/** The random sweeps of npm test at full length. */
const sweeps = [
  ...slow,
  "functions/events/{archive,project}/{archive,project,to-do}.service.test.ts",
  "packages/voice-providers/*/call-events.service.test.ts",
  "packages/audit/search/list.service.test.ts",
  "packages/calls/log/{list,search}.service.test.ts",
  "packages/store/verbs/expired.service.test.ts",
  "packages/tools/engine/idempotency/request-row.service.test.ts",
];
/** Without it a worker keeps what it could collect: 2 GB and more. */
const heapLimit = "--max-old-space-size=1300";
const minutes = (count: number) => count * 60_000;
/** Vitest's own limits, of one second for a poll and ten for a hook, are too short for a busy machine. */
const patience = { expect: { poll: { timeout: minutes(0.4) } }, hookTimeout: minutes(4) };

/** A long file that starts last leaves the other workers idle until its end. */
const longest = [
  "test/alone/crash.test.ts",
  "test/gallery/dashboard.long.test.ts",
  "test/alone/every-route.test.ts",
  "test/gallery/console.long.test.ts",
  "test/gallery/accessibility.long.test.ts",
  "test/alone/history.test.ts",
  "test/alone/mutations.test.ts",
  "test/api/isolation/isolation.test.ts",
  "test/browser/journeys.test.ts",
  "test/browser/admin-first-day.long.test.ts",
];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => [...longest, ""].findIndex((file) => moduleId.endsWith(file));
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Suites by what they need; test/README.md says what belongs where. */
export default defineConfig({
  test: {
    // Many tests wait for a database or a server over HTTP: with a worker more than there are processors, none of these is idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    execArgv: [heapLimit],
    // A run in random order has its own.
    ...(process.argv.some((arg) => arg.startsWith("--sequence.shuffle")) ? {} : { sequence: { sequencer: LongestFirst } }),
    projects: [
      {
        test: {
          ...patience,
          name: "web",
          environment: "happy-dom",
          include: ["test/web/**/*.test.tsx"],
          setupFiles: "test/kit/screen/setup.ts",
          // Each test renders a page: a sixth less time than with the default of 16
          execArgv: [heapLimit, "--max-semi-space-size=64"],
          isolate: false,
          testTimeout: minutes(2),
        },
      },
      {
        test: {
          ...patience,
          name: "unit",
          include: nouns,
          exclude: [...notNouns, service, long],
          setupFiles: "test/kit/run/own-environment.ts",
          isolate: false,
          testTimeout: minutes(2),
        },
      },
      {
        test: {
          ...patience,
          name: "service",
          include: nouns.map((files) => files.replace("*.test", "*.service.test")),
          exclude: [...notNouns, ...slow],
          setupFiles: ["test/kit/run/own-environment.ts", "test/kit/run/fast-password-hashes.ts"],
          isolate: false,
          testTimeout: minutes(10),
        },
      },
      {
        test: {
          ...patience,
          name: "local-cloud",
          include: ["packages/local-cloud/**/*.test.ts"],
          exclude: [...configDefaults.exclude, witness, killed],
          testTimeout: minutes(5),
        },
      },
      {
        test: {
          ...patience,
          name: "sweeps",
          include: sweeps,
          setupFiles: ["test/kit/run/own-environment.ts", "test/kit/run/fast-password-hashes.ts"],
          testTimeout: minutes(15),
        },
      },
      {
        test: {
          ...patience,
          name: "witness",
          include: [witness, "packages/store/**/*.service.test.ts"],
          // They need the embedded AWS's faults, and its count of requests
          exclude: [...configDefaults.exclude, "packages/store/verbs/{faults,table}.service.test.ts"],
          env: { TEST_DATABASE: "DynamoDB Local" },
          testTimeout: minutes(10),
        },
      },
      {
        test: {
          ...patience,
          name: "infra",
          include: ["infra/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...slow],
          isolate: false,
          testTimeout: minutes(2),
        },
      },
      {
        test: {
          ...patience,
          name: "api",
          globalSetup: "test/kit/run/build.ts",
          include: ["test/api/**/*.test.ts"],
          exclude: [...configDefaults.exclude, scenarios, ...slowApi],
          testTimeout: minutes(1),
          isolate: false,
        },
      },
      {
        test: {
          ...patience,
          name: "api-long",
          globalSetup: "test/kit/run/build.ts",
          include: slowApi,
          testTimeout: minutes(1),
          isolate: false,
        },
      },
      {
        test: {
          ...patience,
          name: "alone",
          globalSetup: "test/kit/run/build.ts",
          include: ["test/alone/**/*.test.ts", scenarios, "test/api/isolation/isolation.test.ts", killed],
          testTimeout: minutes(20),
        },
      },
      {
        test: {
          ...patience,
          name: "browser",
          globalSetup: "test/kit/run/build.ts",
          include: ["test/browser/*.test.ts"],
          exclude: [...configDefaults.exclude, long],
          testTimeout: minutes(2),
          isolate: false,
        },
      },
      {
        test: {
          ...patience,
          name: "gallery",
          globalSetup: "test/kit/run/build.ts",
          include: ["test/browser/**/*.long.test.ts", "test/gallery/*.long.test.ts"],
          testTimeout: minutes(3),
          isolate: false,
        },
      },
    ],
  },
});
