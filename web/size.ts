import { existsSync } from "node:fs";
import { join } from "node:path";
import { shown, weigh, type Weight } from "./budget.ts";

const outDir = join(import.meta.dirname, "dist");
if (!existsSync(join(outDir, ".vite/manifest.json"))) throw new Error("No build found. Run `npx vite build` in web first.");

const { firstViews, chunks, files } = weigh(outDir);
const list = (title: string, weights: readonly (Weight & { scripts?: number })[]): string[] => [
  title,
  ...weights.map(({ name, bytes, scripts }) => `  ${name.padEnd(44)}${shown(bytes)}${scripts === undefined ? "" : ` in ${scripts} files`}`),
];
process.stdout.write(
  `${[...list("JavaScript of a first view, gzip 9", firstViews), ...list("Largest lazy chunks", chunks.slice(0, 8)), ...list("Fonts and pictures", files)].join("\n")}\n`,
);
