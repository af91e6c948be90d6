import path from "node:path";
import { readdirSync, statSync } from "node:fs";
import { buildFunctions } from "@vitaline/infra/assets/bundle.ts";
import { type BuildFailure, formatMessages } from "esbuild";
import { StartError } from "../lib/run.ts";

type SourceStamps = Map<string, string>;

const ignoredFolders = new Set(["node_modules", "local-cloud", "sandbox-ehr"]);
const isSource = (name: string): boolean => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name);

function readStamps(project: string, folders: string[]): SourceStamps {
  const stamps: SourceStamps = new Map();
  const look = (folder: string): void => {
    for (const entry of readdirSync(path.join(project, folder), { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && !ignoredFolders.has(entry.name)) look(file);
      const stat = entry.isFile() && isSource(entry.name) ? statSync(path.join(project, file), { throwIfNoEntry: false }) : undefined;
      if (stat) stamps.set(file, `${stat.ino} ${stat.size} ${stat.mtimeMs}`);
    }
  };
  for (const folder of folders) look(folder);
  return stamps;
}

const changedSources = (before: SourceStamps, after: SourceStamps): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));

const pollIntervalMs = 500;
const needsStart = (file: string): boolean =>
  file.startsWith(`infra${path.sep}`) || file.startsWith(path.join("packages", "contract", path.sep));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * Rebuilds the functions after each change of their sources, one build at a time. A changed template is only reported, since templates
 * are read at the start. It polls, because file system events end for a file that was replaced by a rename.
 */
export function watchSources(project: string, rebuild: () => Promise<void>, tell = say): { stop(): Promise<void> } {
  const look = (): SourceStamps => readStamps(project, ["functions", "packages", "infra"]);
  let known = look();
  let building: Promise<void> | undefined;

  const build = async (): Promise<void> => {
    const began = performance.now();
    try {
      await rebuild();
      tell(`functions rebuilt (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
      tell(`functions not rebuilt, the last good ones keep running: ${(error as Error).message}`);
    }
  };
  const follow = (): void => {
    if (building) return;
    const seen = known;
    try {
      known = look();
    } catch {
      return;
    }
    const changed = changedSources(seen, known);
    if (changed.some(needsStart)) tell("routes or infrastructure changed: start again to run them");
    if (changed.every((file) => file.startsWith(`infra${path.sep}`))) return;
    building = build().finally(() => (building = undefined));
  };
  const timer = setInterval(follow, pollIntervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await building;
    },
  };
}

/**
 * Bundles all functions into a folder. On an error it throws and leaves the former build in place. Files of former builds stay, since
 * running functions may still load them.
 */
export async function bundleLive(project: string, folder: string): Promise<void> {
  try {
    const { write } = await buildFunctions(project, folder, { logLevel: "silent" });
    write();
  } catch (cause) {
    const { errors } = cause as BuildFailure;
    if (!errors) throw cause;
    const messages = await formatMessages(errors, { kind: "error", color: process.stdout.isTTY });
    throw new StartError(`The sources cannot be built.\n\n${messages.join("\n").trim()}`, { cause });
  }
}
