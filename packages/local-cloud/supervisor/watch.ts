import { watch } from "node:fs";
import path from "node:path";

const settleMs = 100;
const isSource = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|[/\\])node_modules[/\\]|^(local-cloud|sandbox-ehr)[/\\]/.test(file);

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * Rebuilds the functions whenever their sources have changed, one build at a time. Routes and infrastructure lie in
 * templates, which are read at the start alone: a change there is only told.
 */
export function watchSources(project: string, rebuild: () => Promise<void>): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let building: Promise<void> = Promise.resolve();

  const build = async (): Promise<void> => {
    const began = performance.now();
    try {
      await rebuild();
      say(`functions rebuilt (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
      say(`functions not rebuilt, the last good ones go on: ${(error as Error).message}`);
    }
  };
  const onChange = (folder: string, file: string | null): void => {
    if (!file || !isSource(file)) return;
    if (folder === "infra" || file.startsWith(`contract${path.sep}`)) say("routes or infrastructure changed: start again to run them");
    if (folder === "infra") return;
    clearTimeout(timer);
    timer = setTimeout(() => (building = building.then(build)), settleMs);
  };
  const watchers = ["functions", "packages", "infra"].map((folder) =>
    watch(path.join(project, folder), { recursive: true }, (_event, file) => onChange(folder, file)),
  );
  return {
    stop() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
