import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const outputs = new Set(["node_modules", "dist", "build", "cdk.out", "coverage", ".local"]);
const isInput = (name: string): boolean => !/\.test\.tsx?$|\.md$/.test(name);

/** A digest of everything under these paths of the project, so that what did not change need not be built again. Absent paths count as empty. */
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
