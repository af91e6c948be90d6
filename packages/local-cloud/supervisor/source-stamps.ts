import { readdirSync, statSync } from "node:fs";
import path from "node:path";

/** When each source file was last written, by its path in the project. */
export type SourceStamps = Map<string, string>;

const outside = new Set(["node_modules", "local-cloud", "sandbox-ehr"]);
const isSource = (name: string): boolean => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name);

/** Looks at every file anew, so that it does not matter how an editor or a checkout puts it there. */
export function readStamps(project: string, folders: string[]): SourceStamps {
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
export const changedSources = (before: SourceStamps, after: SourceStamps): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));
