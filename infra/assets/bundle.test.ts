import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { dashed, functionNames } from "../config/functions.ts";
import { buildFunctions, bundlesIn, splitFunctions } from "./bundle.ts";

type Weights = Map<string, number>;
type Outputs = Metafile["outputs"];
/** Function → package → bytes in all its files. */
const bundles = new Map<string, Weights>();
let outputs: Outputs;
const packageOf = (input: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? input.split("/").slice(0, 2).join("/");
const functionOf = (file: string): string => file.split("/")[1] ?? "";

beforeAll(async () => {
  ({ outputs } = await buildFunctions(process.cwd(), "build"));
  for (const [file, { inputs }] of Object.entries(outputs)) {
    const weights = bundles.get(functionOf(file)) ?? new Map<string, number>();
    for (const [input, { bytesInOutput }] of Object.entries(inputs))
      weights.set(packageOf(input), (weights.get(packageOf(input)) ?? 0) + bytesInOutput);
    bundles.set(functionOf(file), weights);
  }
});

const total = (weights: Weights): number => [...weights.values()].reduce((sum, bytes) => sum + bytes, 0);

/** The files that are loaded with these: all that they import, but not what they load with `import()`. */
function withImports(files: readonly string[], loaded = new Set<string>()): Set<string> {
  for (const file of files) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    const imported = (outputs[file]?.imports ?? []).filter(({ kind, external }) => kind === "import-statement" && external !== true);
    withImports(
      imported.map((one) => one.path),
      loaded,
    );
  }
  return loaded;
}
const bytesOf = (files: ReadonlySet<string>): number => [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
const entryOf = (name: string): string => `build/${name}/index.mjs`;
/** The file of a function that `import()` of a module loads. */
const laterOf = (name: string, module: string): string => {
  const found = Object.keys(outputs).find((file) => functionOf(file) === name && outputs[file]?.entryPoint?.endsWith(module));
  if (found === undefined) throw new Error(`${name} loads no ${module} with import()`);
  return found;
};

test("no bundle contains more of zod than its schemas use; a careless import adds 400 KB", () => {
  // tools and site also print JSON Schema; the MCP SDK includes all of zod
  const limitOf = (name: string) => (["mcp", "tools"].includes(name) ? 600_000 : name === "site" ? 80_000 : 60_000);
  for (const [name, weights] of bundles) expect([name, (weights.get("zod") ?? 0) < limitOf(name)]).toEqual([name, true]);
});

test("a caller's first answer waits for at most 700 KB of code, in two files", () => {
  for (const name of splitFunctions) {
    const loaded = withImports([entryOf(name)]);
    expect([name, loaded.size, bytesOf(loaded) <= 700_000, bytesOf(loaded)]).toEqual([name, 2, true, expect.any(Number)]);
  }
});

test("a function contains only those definitions of the contract and of MCP that it uses", () => {
  expect(bundles.get("mcp")?.get("@modelcontextprotocol/core")).toBeLessThan(10_000);
  expect(bundles.get("voice")?.get("packages/contract")).toBeLessThan(10_000);
});

test("no function imports node:http at its start, which loads undici with it", () => {
  const importsHttp = Object.entries(outputs).filter(([, { imports }]) =>
    imports.some(({ path: module, kind }) => kind === "import-statement" && /^(?:node:)?http$/.test(module)),
  );
  expect(importsHttp.map(([file]) => file)).toEqual([]);
});

test("the first identity check loads at most 900 KB: of the tools its own, and of the platforms the caller's", () => {
  const later = ["verifyPatientIdentity/index.ts", "vapi/adapter.ts", "ehr-access.ts", "secrets/vault.ts", "secrets/secrets-manager.ts"];
  const loaded = withImports([entryOf("voice"), ...later.map((module) => laterOf("voice", module))]);
  expect([bytesOf(loaded) <= 900_000, bytesOf(loaded)]).toEqual([true, expect.any(Number)]);
});

test("a function's files are all in its folder", () => {
  for (const name of functionNames.map(dashed)) expect([name, Object.hasOwn(outputs, entryOf(name))]).toEqual([name, true]);
  for (const [file, { imports }] of Object.entries(outputs))
    for (const one of imports) if (one.external !== true) expect([file, functionOf(one.path)]).toEqual([file, functionOf(file)]);
});

/** public answers only 404 and 405, but knows every route with its schemas; tools bring phone number metadata, calendars, mail, and 390 KB of what callers say. */
const limitOf = (name: string): number => {
  // It answers 405 from the table of all routes.
  if (name === "public") return 140_000;
  if (["mcp", "tools"].includes(name)) return 2_050_000;
  // Reads record systems, sends mail and texts, and starts itself with shares of its work.
  if (name === "events-remind") return 875_000;
  return ["voice", "fhir", "events-retry"].includes(name) ? 1_750_000 : 850_000;
};

test("no bundle contains more than its limit", () => {
  for (const [name, weights] of bundles)
    expect([name, total(weights) < limitOf(name), total(weights)]).toEqual([name, true, expect.any(Number)]);
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
  ).toEqual(["events-health", "events-remind", "events-retry", "fhir", "mcp", "tools", "voice"]);
});

test("the functions of an assembly are found by their names, and a missing one is named", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "assembly-"));
  const voice = { Type: "AWS::Lambda::Function", Properties: { FunctionName: "vitaline-local-voice", Code: { S3Key: "0a1b.zip" } } };
  const Resources = { Voice: voice, Table: { Type: "AWS::DynamoDB::GlobalTable" } };
  writeFileSync(path.join(folder, "vitaline-local-api.template.json"), JSON.stringify({ Resources }));
  const { folderOf } = bundlesIn(folder);
  expect(folderOf("voice")).toBe(path.join(folder, "asset.0a1b"));
  expect(() => folderOf("events/archive")).toThrow("has no function events/archive");
  rmSync(folder, { recursive: true });
});
