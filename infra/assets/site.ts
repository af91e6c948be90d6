import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { runScript } from "./run-script.ts";

export type Site = {
  folder: string;
  /** Address → file in the folder, both from "/". The last segment may be a parameter: "/users/:id". Other addresses are 404. */
  pages: { path: string; file: string }[];
  /** Top-level files served unchanged: icons, robots.txt. */
  files: string[];
  /** CSP hash sources of inline blocks, without quotes. */
  hashes: { styles: string[]; scripts: string[] };
};

/** The page function supports a parameter only in the last segment. */
const address = /^\/(?:[\w.-]+\/)*(?::?[\w.-]+)?$/;
const Pages = z.array(z.object({ path: z.string().check(z.regex(address)), file: z.string().check(z.startsWith("/")) }));
const Hash = z.pipe(
  z.string().check(z.regex(/^'?sha(256|384|512)-[\w+/]+={0,2}'?$/, "must be a CSP hash source")),
  z.transform((text: string) => text.replaceAll("'", "")),
);
const Hashes = z.object({ styles: z.array(Hash), scripts: z.array(Hash) });

const hashFile = "csp-hashes.json";
const howToBuild = "Build the site with `npx vite build` in web.";

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** Reads `web/dist` and the web app's paths. Throws one sentence when the site is not built or does not match the paths. */
export function readSite(project: string): Site {
  const folder = path.join(project, "web", "dist");
  if (!existsSync(path.join(folder, hashFile)))
    throw new Error(`The site is not built: ${path.relative(project, folder)} holds no ${hashFile}. ${howToBuild}`);
  const pages = Pages.parse(readJson(path.join(project, "web", "src", "app", "paths.json")));
  const missing = pages.filter(({ file }) => !existsSync(path.join(folder, file))).map(({ file }) => file);
  if (missing.length > 0)
    throw new Error(`The built site is not the one of paths.json: it lacks ${[...new Set(missing)].join(", ")}. ${howToBuild}`);
  return { folder, pages, files: topFiles(folder), hashes: Hashes.parse(readJson(path.join(folder, hashFile))) };
}

const topFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== hashFile && !entry.name.endsWith(".html"))
    .map(({ name }) => `/${name}`)
    .sort();

export const buildSite = (project: string, demoSchedulingUrl: string | undefined): Promise<void> =>
  runScript(path.join(project, "node_modules", "vite", "bin", "vite.js"), ["build", "--logLevel", "warn"], {
    cwd: path.join(project, "web"),
    env: { DEMO_SCHEDULING_URL: demoSchedulingUrl },
  });
