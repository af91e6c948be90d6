import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { bundleOptions } from "./bundle.ts";

type Weights = Map<string, number>;
/** Function → package → bytes in the bundle. */
const bundles = new Map<string, Weights>();
const packageOf = (input: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? input.split("/").slice(0, 2).join("/");

beforeAll(async () => {
  const { metafile } = await build({ ...bundleOptions(process.cwd()), write: false });
  for (const [file, { inputs }] of Object.entries(metafile.outputs)) {
    const weights: Weights = new Map();
    for (const [input, { bytesInOutput }] of Object.entries(inputs))
      weights.set(packageOf(input), (weights.get(packageOf(input)) ?? 0) + bytesInOutput);
    bundles.set(file.replace(/^build\/|\/index.mjs$/g, ""), weights);
  }
});

const total = (weights: Weights): number => [...weights.values()].reduce((sum, bytes) => sum + bytes, 0);

test("no bundle contains more of zod than its schemas use; a careless import adds 400 KB", () => {
  // tools and site also print JSON Schema; the MCP SDK includes all of zod
  const limitOf = (name: string) => (name === "mcp" ? 600_000 : ["tools", "site"].includes(name) ? 80_000 : 60_000);
  for (const [name, weights] of bundles) expect([name, (weights.get("zod") ?? 0) < limitOf(name)]).toEqual([name, true]);
});

/** public answers only 404; tools bring phone number metadata, calendars, mail, and 370 KB of what callers say. */
const limitOf = (name: string): number => {
  if (name === "public") return 110_000;
  if (name === "mcp") return 2_050_000;
  // Reads record systems, sends mail and texts, and starts itself with shares of its work.
  if (name === "events-remind") return 875_000;
  return ["tools", "voice", "fhir", "events-probe"].includes(name) ? 1_700_000 : 850_000;
};

test("no cold start loads more than its limit", () => {
  for (const [name, weights] of bundles) expect([name, total(weights) < limitOf(name)]).toEqual([name, true]);
});

test("no bundle contains development code", () => {
  for (const [name, weights] of bundles)
    expect([name, [...weights.keys()].filter((each) => /local-cloud|sandbox-ehr|^test|^infra|^web|aws-cdk/.test(each))]).toEqual([
      name,
      [],
    ]);
});

test("only the functions that call addresses entered by users contain the FHIR client", () => {
  expect(
    [...bundles]
      // A few bytes: the operations that a connection's scopes allow
      .filter(([, weights]) => (weights.get("packages/fhir") ?? 0) > 2000)
      .map(([name]) => name)
      .sort(),
  ).toEqual(["events-health", "events-probe", "events-remind", "fhir", "mcp", "tools", "voice"]);
});
