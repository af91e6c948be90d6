import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Manifest, Plugin, ResolvedConfig } from "vite";
import { entryScripts, scriptsOf } from "./prerender/documents.ts";

const kilobyte = 1024;
const limits = { landing: 150 * kilobyte, chunk: 40 * kilobyte, chart: 130 * kilobyte };
/** As stored: these files are compressed already. */
const fileLimits: Record<string, number> = { ".woff2": 24 * kilobyte, ".webp": 60 * kilobyte };

const measuredPaths = ["/", "/pricing", "/contact", "/login", "/forgot-password", "/tenant", "/admin", "/account"];

/** Files of JavaScript before a page has its content: each costs a request. */
const scriptsLimit = 20;

/** Bytes, of JavaScript gzipped, and their limit. */
export type Weight = { name: string; bytes: number; limit: number };
export type Weights = { firstViews: (Weight & { scripts: number })[]; chunks: Weight[]; files: Weight[]; overweight: Weight[] };

/** Weighs a finished build: the first view of some pages, and every lazy chunk, heaviest first. */
export const weigh = (outDir: string): Weights => {
  const manifest = JSON.parse(readFileSync(join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;
  const bytesOf = (file: string): number => gzipSync(readFileSync(join(outDir, file)), { level: 9 }).length;
  const sum = (files: readonly string[]): number => files.reduce((total, file) => total + bytesOf(file), 0);
  const firstViews = measuredPaths.map((name) => {
    const scripts = scriptsOf(manifest, name);
    return { name, bytes: sum(scripts), limit: name === "/" ? limits.landing : Number.POSITIVE_INFINITY, scripts: scripts.length };
  });
  const eager = new Set(entryScripts(manifest));
  const chunks = Object.values(manifest)
    .filter(({ file, isEntry }) => file.endsWith(".js") && !isEntry && !eager.has(file))
    // The chart library alone exceeds the limit of a chunk. It loads with the first chart.
    .map(({ file }) => ({ name: file, bytes: bytesOf(file), limit: /chart/i.test(file) ? limits.chart : limits.chunk }))
    .toSorted((one, other) => other.bytes - one.bytes);
  const files = readdirSync(join(outDir, "assets")).flatMap((file) => {
    const limit = fileLimits[extname(file)];
    return limit === undefined ? [] : [{ name: file, bytes: statSync(join(outDir, "assets", file)).size, limit }];
  });
  return { firstViews, chunks, files, overweight: [...firstViews, ...chunks, ...files].filter(({ bytes, limit }) => bytes > limit) };
};

export const shown = (bytes: number): string => `${(bytes / kilobyte).toFixed(1)} KB`;

export const budget = (): Plugin => {
  let config: ResolvedConfig;
  let isWritten = false;
  return {
    name: "vitaline:budget",
    apply: "build",
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: () => {
      isWritten = true;
    },
    closeBundle: {
      order: "post",
      handler: () => {
        if (!isWritten || config.build.ssr) return;
        const { firstViews, overweight } = weigh(resolve(config.root, config.build.outDir));
        const lines = [
          ...overweight.map(({ name, bytes, limit }) => `${name} weighs ${shown(bytes)}, and may weigh ${shown(limit)}`),
          ...firstViews
            .filter(({ scripts }) => scripts > scriptsLimit)
            .map(({ name, scripts }) => `${name} loads ${scripts} scripts, and may load ${scriptsLimit}`),
        ];
        if (lines.length > 0) throw new Error(`Over budget: ${lines.join("; ")}. \`npx node size.ts\` in web lists all chunks.`);
      },
    },
  };
};
