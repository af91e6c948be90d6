import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Manifest, type Plugin, type ResolvedConfig } from "vite";
import type { renderPage } from "../src/app/prerender.tsx";
import { documents, preloadsOf, readsOf } from "./documents.ts";
import { assemble, cspHash, inlineScripts, inlineStyles } from "./page.ts";

const entry = "src/app/prerender.tsx";

/** Emotion adds its style elements empty and their rules through the CSSOM. */
const emptyStyle = "";

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
  const styles = new Set([emptyStyle, ...inlineStyles(template)].map(cspHash));
  // Addresses with the same document show the same until a user is known.
  for (const document of new Map(documents.map((one) => [one.file, one])).values()) {
    const rendered = await render(document.path);
    for (const { css } of rendered.styles) styles.add(cspHash(css));
    await write(
      join(outDir, document.file),
      assemble(template, rendered, { preloads: preloadsOf(manifest, document), first: readsOf(document) }),
    );
  }
  const hashes = { styles: [...styles], scripts: inlineScripts(template).map(cspHash) };
  await write(join(outDir, "csp-hashes.json"), `${JSON.stringify(hashes, null, 2)}\n`);
  await rm(rendererDir, { recursive: true, force: true });
};

/** After the build, writes the documents of all pages, and the CSP hashes of all inline styles and scripts. */
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
    // Rollup also closes a failed build, whose own error must reach the terminal.
    closeBundle: async () => {
      if (isWritten && !config.build.ssr) await prerenderInto(config.root, resolve(config.root, config.build.outDir));
    },
  };
};
