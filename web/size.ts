import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Manifest } from "vite";
import { scriptsOf } from "./prerender/preloads.ts";

const outDir = join(import.meta.dirname, "dist");
const kilobyte = 1024;
const limits = { landing: 150 * kilobyte, chunk: 40 * kilobyte };

const layouts = { open: "src/app/public-layout.tsx", app: "src/app/app-layout.tsx" };
const routes: Record<string, string[]> = {
  "/": [layouts.open, "src/features/site/landing-page.tsx"],
  "/contact": [layouts.open, "src/features/site/contact-page.tsx"],
  "/login": [layouts.open, "src/features/sessions/login-page.tsx"],
  "/tenant": [layouts.app, "src/features/tenant-dashboard/tenant-dashboard-page.tsx"],
  "/admin": [layouts.app, "src/features/admin-dashboard/admin-dashboard-page.tsx"],
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const bytesOf = (file: string): number => gzipSync(readFileSync(join(outDir, file)), { level: 9 }).length;
const sum = (files: readonly string[]): number => files.reduce((total, file) => total + bytesOf(file), 0);
const shown = (bytes: number): string => `${(bytes / kilobyte).toFixed(1)} KB`;

if (!existsSync(join(outDir, ".vite/manifest.json"))) throw new Error("There is no build to weigh: run `npx vite build` in web first.");
const manifest = JSON.parse(readFileSync(join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;

const eager = new Set(scriptsOf(manifest, ["index.html"]));
const firstViews = Object.entries(routes).map(([path, sources]) => ({
  name: path,
  bytes: sum(scriptsOf(manifest, ["index.html", ...sources])),
}));
const chunks = Object.values(manifest)
  .filter(({ file, isEntry }) => file.endsWith(".js") && !isEntry && !eager.has(file))
  .map(({ file }) => ({ name: file, bytes: bytesOf(file) }))
  .toSorted((one, other) => other.bytes - one.bytes);

say("JavaScript of a first view, gzip 9");
for (const { name, bytes } of firstViews) say(`  ${name.padEnd(44)}${shown(bytes)}`);
say("Largest lazy chunks");
for (const { name, bytes } of chunks.slice(0, 6)) say(`  ${name.padEnd(44)}${shown(bytes)}`);

const overweight = [
  ...firstViews.filter(({ name, bytes }) => name === "/" && bytes > limits.landing),
  ...chunks.filter(({ bytes }) => bytes > limits.chunk),
];
for (const { name, bytes } of overweight) say(`Over budget: ${name} weighs ${shown(bytes)}.`);
if (overweight.length > 0) process.exitCode = 1;
else say(`Within budget: / at most ${shown(limits.landing)}, any other chunk at most ${shown(limits.chunk)}.`);
