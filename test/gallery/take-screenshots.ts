import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * `npm run screenshots [-- folder]`: screenshots of every page, tab and dialog at three widths, light and dark, and an index.html. Runs
 * the accessibility suite and exits with its code.
 */

const project = path.resolve(import.meta.dirname, "../..");
const folder = path.resolve(process.argv[2] ?? path.join(project, "build", "screenshots"));

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const sheetOf = (files: readonly string[]): string => {
  const figures = files.map((file) => {
    const name = escaped(file.replace(/\.png$/, ""));
    return `<figure><a href="${escaped(file)}"><img loading="lazy" src="${escaped(file)}" alt="${name}"></a><figcaption>${name}</figcaption></figure>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Screenshots</title>
<style>body{font:14px system-ui;margin:2rem;display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr))}figure{margin:0}img{width:100%;border:1px solid #ccc}</style>
${figures.join("\n")}
`;
};

const isOurs = (file: string): boolean => file.endsWith(".png") || file === "index.html";

mkdirSync(folder, { recursive: true });
const others = readdirSync(folder).filter((file) => !isOurs(file));
if (others.length > 0) throw new Error(`${folder} has other files, ${others[0]} among them: name a folder that is empty or new.`);
for (const file of readdirSync(folder)) rmSync(path.join(folder, file));
const { status } = spawnSync(
  process.execPath,
  [
    path.join(project, "node_modules/vitest/vitest.mjs"),
    "run",
    ...["--project", "gallery"],
    ...["accessibility", "dashboard", "console"].map((name) => `test/gallery/${name}.long.test.ts`),
  ],
  { cwd: project, stdio: "inherit", env: { ...process.env, SCREENSHOTS: folder } },
);
const files = readdirSync(folder).filter((file) => file.endsWith(".png"));
writeFileSync(path.join(folder, "index.html"), sheetOf(files.toSorted()));
process.stdout.write(`${files.length} pictures in ${folder}; index.html shows them all.\n`);
process.exitCode = status ?? 1;
