import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { bundleOptions } from "./bundle.ts";

type Weights = Map<string, number>;
/** Function → package → bytes of it that are in the bundle. */
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

test("no bundle holds more of zod than what its schemas use, which a careless import makes 400 KB", () => {
  for (const [name, weights] of bundles) expect([name, (weights.get("zod") ?? 0) < 60_000]).toEqual([name, true]);
});

test("every cold start loads less than 800 KB, and what only answers 404 less than 60 KB", () => {
  for (const [name, weights] of bundles) expect([name, total(weights) < (name === "public" ? 60_000 : 800_000)]).toEqual([name, true]);
});

test("nothing that stands beside the product is in a bundle", () => {
  for (const [name, weights] of bundles)
    expect([name, [...weights.keys()].filter((each) => /local-cloud|sandbox-ehr|^test|^infra|^web|aws-cdk/.test(each))]).toEqual([
      name,
      [],
    ]);
});

test("only the functions that call typed addresses hold the FHIR client", () => {
  expect(
    [...bundles]
      .filter(([, weights]) => weights.has("packages/fhir"))
      .map(([name]) => name)
      .sort(),
  ).toEqual(["events-probe", "fhir", "voice"]);
});
