import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Manifest, type Plugin, type ResolvedConfig } from "vite";
import paths from "../src/app/paths.json" with { type: "json" };
import type { renderPage } from "../src/app/prerender.tsx";
import { assemble, cspHash, inlineScripts } from "./page.ts";
import { preloadsOf } from "./preloads.ts";

const shell = "/app.html";
const entry = "src/app/prerender.tsx";

/** Emotion's sheets are empty when they enter the document; their rules follow through the CSSOM. */
const emptyStyle = "";

/** The site as a module that Node can run. */
const loadRenderer = async (root: string, outDir: string): Promise<typeof renderPage> => {
  const output = { entryFileNames: "render.mjs", chunkFileNames: "[name]-[hash].mjs" };
  await build({ root, configFile: false, logLevel: "warn", build: { ssr: entry, outDir, emptyOutDir: true, rolldownOptions: { output } } });
  const module = (await import(pathToFileURL(join(outDir, "render.mjs")).href)) as { renderPage: typeof renderPage };
  return module.renderPage;
};

const write = async (file: string, text: string) => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};

const prerenderInto = async (root: string, outDir: string): Promise<void> => {
  const template = await readFile(join(outDir, "index.html"), "utf8");
  const manifest = JSON.parse(await readFile(join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;
  const rendererDir = join(root, "build", String(process.pid));
  const render = await loadRenderer(root, rendererDir);
  const styles = new Set([cspHash(emptyStyle)]);
  for (const { path, file } of paths.filter((row) => row.file !== shell)) {
    const rendered = await render(path);
    for (const { css } of rendered.styles) styles.add(cspHash(css));
    await write(join(outDir, file), assemble(template, rendered, preloadsOf(manifest, path)));
  }
  await write(join(outDir, shell), template);
  const hashes = { styles: [...styles], scripts: inlineScripts(template).map(cspHash) };
  await write(join(outDir, "csp-hashes.json"), `${JSON.stringify(hashes, null, 2)}\n`);
  await rm(rendererDir, { recursive: true, force: true });
};

/** After the build: every open page as a document of its own, the empty shell for the guarded ones, and the hashes of all inline pieces. */
export const prerender = (): Plugin => {
  let config: ResolvedConfig;
  let isWritten = false;
  return {
    name: "vitaline:prerender",
    apply: "build",
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: () => {
      isWritten = true;
    },
    // A build that failed is closed, too, and its own error is the one to show.
    closeBundle: async () => {
      if (isWritten && !config.build.ssr) await prerenderInto(config.root, resolve(config.root, config.build.outDir));
    },
  };
};
