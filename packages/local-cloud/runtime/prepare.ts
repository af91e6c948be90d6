import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createHash } from "node:crypto";
import { runNode, StartError } from "../lib/run.ts";

const outputs = new Set(["node_modules", "dist", "build", "cdk.out", "coverage", ".local"]);
const isInput = (name: string): boolean => !/\.test\.tsx?$|\.md$/.test(name);

export function digestInputs(project: string, paths: string[], ...more: string[]): string {
  const hash = createHash("sha256");
  const add = (relative: string): void => {
    const full = path.join(project, relative);
    const stat = statSync(full, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      for (const name of readdirSync(full).sort()) if (!outputs.has(name)) add(path.join(relative, name));
    } else if (stat && isInput(relative)) {
      const content = readFileSync(full);
      hash.update(`${relative}\0${content.length}\0`).update(content);
    }
  };
  for (const one of paths) add(one);
  for (const text of more) hash.update(`\0${text}`);
  return hash.digest("hex").slice(0, 16);
}

/** Placeholder for the sandbox EHR at synthesis; its real address is filled in at the start. */
export const sandboxPlaceholder = "http://127.0.0.1:8082";
/** Running platforms read their assembly while they run. */
const keptAssemblies = 6;

export function checkTools(project: string): void {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major < 24)
    throw new StartError(`The platform needs Node 24, and this is ${process.version}: start it with npm start, which brings its own.`);
  for (const tool of ["vite", "esbuild", "aws-cdk-lib"]) {
    if (!existsSync(path.join(project, "node_modules", tool, "package.json")))
      throw new StartError(`${tool} is missing: run npm ci first.`);
  }
}

export async function buildWeb(project: string, signal?: AbortSignal): Promise<"built" | "unchanged"> {
  const sources = digestInputs(project, ["web", "packages/contract", "package-lock.json"], process.env["DEMO_SCHEDULING_URL"] ?? "");
  const stamp = path.join(project, "build", "web.inputs");
  const isCurrent = existsSync(stamp) && readFileSync(stamp, "utf8") === `${sources} ${digestSite(project)}`;
  if (isCurrent) return "unchanged";
  const vite = path.join(project, "node_modules", "vite", "bin", "vite.js");
  await runNode("Building the web app", [vite, "build", "--logLevel", "warn"], { cwd: path.join(project, "web"), signal });
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${sources} ${digestSite(project)}`);
  return "built";
}

const digestSite = (project: string): string => digestInputs(path.join(project, "web", "dist"), ["."]);

type Synthesis = {
  egress: string[];
  /** Settings of the local stage, as cdk.json has them for other stages, and the folder of an assembly that is not the usual one. */
  other?: { settings: object; folder: string };
  signal?: AbortSignal;
};

/** Bundles the functions and synthesizes the local stage unless an assembly of the same sources exists. Returns its folder. */
export async function synthesize(
  project: string,
  { egress, other, signal }: Synthesis,
): Promise<{ assembly: string; state: "built" | "unchanged" }> {
  const environment = { VITALINE_EGRESS: egress.join(",") };
  const context = JSON.stringify({ stage: "local", ...(other && { "vitaline:stages": { local: other.settings } }) });
  const sources = ["infra", "functions", "packages", "cdk.json", "package-lock.json", "web/src/app/paths.json"];
  const inputs = digestInputs(project, sources, digestSite(project), JSON.stringify(environment));
  const usual = path.join(project, "build", `assembly-${inputs}`);
  const assembly = other ? path.join(other.folder, `assembly-${digestInputs(project, [], inputs, context)}`) : usual;
  if (isMade(assembly)) {
    utimesSync(assembly, new Date(), new Date());
    return { assembly, state: "unchanged" };
  }
  const unfinished = `${assembly}.${process.pid}`;
  await runNode("Synthesizing the CDK app", ["infra/app.ts"], {
    cwd: project,
    // Settings do not change the functions' code
    env: { ...environment, ...(isMade(usual) && { VITALINE_ASSEMBLY: usual }), CDK_OUTDIR: unfinished, CDK_CONTEXT_JSON: context },
    signal,
  });
  publishAssembly(assembly, unfinished);
  removeOldAssemblies(path.dirname(assembly));
  return { assembly, state: "built" };
}

const isMade = (assembly: string): boolean => existsSync(path.join(assembly, "manifest.json"));

function publishAssembly(place: string, made: string): void {
  if (existsSync(place)) rmSync(made, { recursive: true, force: true });
  else renameSync(made, place);
}

function removeOldAssemblies(folder: string): void {
  const assemblies = readdirSync(folder)
    .filter((name) => name.startsWith("assembly-"))
    .map((name) => path.join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of assemblies.slice(keptAssemblies)) rmSync(old, { recursive: true, force: true });
}
