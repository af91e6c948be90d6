import path from "node:path";
import { changedSources, readStamps, type SourceStamps } from "./source-stamps.ts";

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
