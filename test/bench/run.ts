import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bundleFunctions, fileOptions } from "../../infra/assets/bundle.ts";
import { type FunctionName, functionNames } from "../../infra/config/functions.ts";
import { bundleCpu } from "./bundle-cpu.ts";
import { ehrShare } from "./ehr-share.ts";
import { mcpShare } from "./mcp-share.ts";
import { neighborRatio } from "./neighbors.ts";
import { toolCpu } from "./tool-cpu.ts";
import { toolLatency } from "./tool-latency.ts";
import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Median CPU milliseconds for loading one module in a new Node process. */
async function coldLoadMs(file: string, rounds = 7): Promise<number> {
  const script = `
    const before = process.cpuUsage();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000);`;
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", script]);
    times.push(Number(stdout.trim().split("\n").at(-1)));
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

/**
 * `npm run bench`: size and load time of each Lambda, compared with an empty and a DynamoDB-only handler, then every measurement in a
 * process of its own, as functions cache keys and settings. `npm run bench toolCpu` runs one of them. Exits with 1 when a limit is
 * exceeded.
 */
const measurements = { bundleCpu, toolLatency, ehrShare, toolCpu, mcpShare, neighborRatio };

const say = (line: string) => process.stdout.write(`${line}\n`);

const baselines = {
  empty: "export const handler = async () => ({});",
  dynamodb:
    'import { DynamoDBClient } from "@aws-sdk/client-dynamodb"; const client = new DynamoDBClient({ region: "us-east-1" }); export const handler = async () => client.config.apiVersion;',
};

const bundleYardstick = async (name: keyof typeof baselines, folder: string): Promise<string> => {
  const outfile = path.join(folder, `${name}.mjs`);
  await build({ ...fileOptions(process.cwd()), stdin: { contents: baselines[name], resolveDir: process.cwd() }, outfile });
  return outfile;
};

type Weight = { name: string; bytes: number; startBytes: number; gzipBytes: number; loadMs: number };
/** Names of files in the same folder that a bundle imports at its start. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:^|[;}"\n])(?:import|export)\b[^"'();]*?"\.\/([\w-]+\.mjs)"/g)].map(([, name = ""]) => name);
const startFiles = (file: string, found = new Set<string>()): Set<string> => {
  if (!found.has(file)) {
    found.add(file);
    for (const name of importsOf(file)) startFiles(path.join(path.dirname(file), name), found);
  }
  return found;
};
const weigh = async (name: string, file: string, all: readonly string[] = [file]): Promise<Weight> => ({
  name,
  bytes: all.reduce((sum, one) => sum + statSync(one).size, 0),
  startBytes: [...startFiles(file)].reduce((sum, one) => sum + statSync(one).size, 0),
  gzipBytes: all.reduce((sum, one) => sum + gzipSync(readFileSync(one)).length, 0),
  loadMs: await coldLoadMs(file),
});
const filesOf = (bundle: string): string[] => readdirSync(bundle).map((file) => path.join(bundle, file));

/** Load CPU, as a multiple of a handler with the DynamoDB client alone, of the functions that callers wait for. */
const limits: Partial<Record<FunctionName, number>> = { voice: 2, tools: 2, mcp: 2 };

async function weighBundles(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "vitaline-bench-"));
  try {
    const { folderOf } = await bundleFunctions();
    const empty = await weigh("an empty handler", await bundleYardstick("empty", folder));
    const dynamodb = await weigh("DynamoDB client only", await bundleYardstick("dynamodb", folder));
    say(
      `${"Lambda bundle".padEnd(22)} ${"KB".padStart(7)} ${"at start".padStart(9)} ${"gzip KB".padStart(8)} ${"load CPU ms".padStart(12)} ${"× empty".padStart(9)} ${"× DynamoDB".padStart(11)} ${"at most".padStart(8)}`,
    );
    const print = ({ name, bytes, startBytes, gzipBytes, loadMs }: Weight, limit = Number.POSITIVE_INFINITY) => {
      const isOver = loadMs / dynamodb.loadMs > limit;
      if (isOver) process.exitCode = 1;
      say(
        `${name.padEnd(22)} ${(bytes / 1000).toFixed(0).padStart(7)} ${(startBytes / 1000).toFixed(0).padStart(9)} ${(gzipBytes / 1000).toFixed(0).padStart(8)} ${loadMs.toFixed(1).padStart(12)} ${(loadMs / empty.loadMs).toFixed(1).padStart(9)} ${(loadMs / dynamodb.loadMs).toFixed(2).padStart(11)} ${(limit < Number.POSITIVE_INFINITY ? limit.toFixed(1) : "").padStart(8)}${isOver ? "  OVER" : ""}`,
      );
    };
    print(empty);
    print(dynamodb);
    for (const name of functionNames) {
      const bundle = folderOf(name);
      print(await weigh(name, path.join(bundle, "index.mjs"), filesOf(bundle)), limits[name]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isMeasurement = (name: string): name is keyof typeof measurements => name in measurements;

const [name] = process.argv.slice(2);
if (name === undefined) {
  await weighBundles();
  for (const each of Object.keys(measurements)) {
    const run = execute(process.execPath, ["--no-warnings", fileURLToPath(import.meta.url), each]);
    const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => ((process.exitCode = 1), error));
    say(`\n${stdout.trimEnd()}${stderr.trimEnd()}`);
  }
} else if (isMeasurement(name)) {
  say(await measurements[name]());
  // Fixtures of service tests keep connections open.
  process.exit();
} else throw new Error(`There is no measurement "${name}": choose one of ${Object.keys(measurements).join(", ")}.`);
