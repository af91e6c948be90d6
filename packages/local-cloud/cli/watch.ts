import path from "node:path";
import { readdirSync, statSync } from "node:fs";
import { bundleOptions } from "@vitaline/infra/assets/bundle.ts";
import { build, type BuildFailure, formatMessages } from "esbuild";
import { StartError } from "../lib/run.ts";

/** When each source file was last written, by its path in the project. */
type SourceStamps = Map<string, string>;

const outside = new Set(["node_modules", "local-cloud", "sandbox-ehr"]);
const isSource = (name: string): boolean => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name);

/** Looks at every file anew, so that it does not matter how an editor or a checkout puts it there. */
function readStamps(project: string, folders: string[]): SourceStamps {
  const stamps: SourceStamps = new Map();
  const look = (folder: string): void => {
    for (const entry of readdirSync(path.join(project, folder), { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && !outside.has(entry.name)) look(file);
      const stat = entry.isFile() && isSource(entry.name) ? statSync(path.join(project, file), { throwIfNoEntry: false }) : undefined;
      if (stat) stamps.set(file, `${stat.ino} ${stat.size} ${stat.mtimeMs}`);
    }
  };
  for (const folder of folders) look(folder);
  return stamps;
}

/** The files that came, went or were written between two looks. */
const changedSources = (before: SourceStamps, after: SourceStamps): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));

const lookEveryMs = 500;
const needsStart = (file: string): boolean =>
  file.startsWith(`infra${path.sep}`) || file.startsWith(path.join("packages", "contract", path.sep));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * Rebuilds the functions whenever their sources have changed, one build at a time. Routes and infrastructure lie in
 * templates, which are read at the start alone: a change there is only told. The files are looked at again and again,
 * because what the system tells of changes ends for a file that was replaced by another of its name.
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
      tell(`functions not rebuilt, the last good ones go on: ${(error as Error).message}`);
    }
  };
  const follow = (): void => {
    if (building) return;
    const seen = known;
    try {
      known = look();
    } catch {
      // A folder went away while it was read: the next look sees what is there then
      return;
    }
    const changed = changedSources(seen, known);
    if (changed.some(needsStart)) tell("routes or infrastructure changed: start again to run them");
    if (changed.every((file) => file.startsWith(`infra${path.sep}`))) return;
    building = build().finally(() => (building = undefined));
  };
  const timer = setInterval(follow, lookEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      await building;
    },
  };
}

/** Bundles all functions into a folder of their own, or leaves it as it is and throws what is wrong with the sources. */
export async function bundleLive(project: string, folder: string): Promise<void> {
  try {
    await build({ ...bundleOptions(project), outdir: folder, logLevel: "silent" });
  } catch (cause) {
    const { errors } = cause as BuildFailure;
    if (!errors) throw cause;
    const messages = await formatMessages(errors, { kind: "error", color: process.stdout.isTTY });
    throw new StartError(`The sources cannot be built.\n\n${messages.join("\n").trim()}`, { cause });
  }
}
