import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Manifest, Plugin, ResolvedConfig } from "vite";
import { scriptsOf } from "./prerender/preloads.ts";

const kilobyte = 1024;
const limits = { landing: 150 * kilobyte, chunk: 40 * kilobyte, chart: 130 * kilobyte };

const layouts = { open: "src/app/public-layout.tsx", app: "src/app/app-layout.tsx" };
const routes: Record<string, string[]> = {
  "/": [layouts.open, "src/features/site/landing-page.tsx"],
  "/pricing": [layouts.open, "src/features/site/pricing-page.tsx"],
  "/contact": [layouts.open, "src/features/site/contact-page.tsx"],
  "/login": [layouts.open, "src/features/sessions/login-page.tsx"],
  "/forgot-password": [layouts.open, "src/features/accounts/forgot-password-page.tsx"],
  "/tenant": [layouts.app, "src/features/tenant-dashboard/tenant-dashboard-page.tsx"],
  "/admin": [layouts.app, "src/features/admin-dashboard/admin-dashboard-page.tsx"],
  "/account": [layouts.app, "src/features/accounts/account-page.tsx"],
};

/** Bytes of JavaScript, gzipped, against what they may be. */
export type Weight = { name: string; bytes: number; limit: number };
export type Weights = { firstViews: Weight[]; chunks: Weight[]; overweight: Weight[] };

/** Weighs a finished build: the first view of each route, and every chunk that loads later, heaviest first. */
export const weigh = (outDir: string): Weights => {
  const manifest = JSON.parse(readFileSync(join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;
  const bytesOf = (file: string): number => gzipSync(readFileSync(join(outDir, file)), { level: 9 }).length;
  const sum = (files: readonly string[]): number => files.reduce((total, file) => total + bytesOf(file), 0);
  const firstViews = Object.entries(routes).map(([name, sources]) => ({
    name,
    bytes: sum(scriptsOf(manifest, ["index.html", ...sources])),
    limit: name === "/" ? limits.landing : Number.POSITIVE_INFINITY,
  }));
  const eager = new Set(scriptsOf(manifest, ["index.html"]));
  const chunks = Object.values(manifest)
    .filter(({ file, isEntry }) => file.endsWith(".js") && !isEntry && !eager.has(file))
    // The drawing library alone is heavier than a page; it comes when somebody looks at a chart.
    .map(({ file }) => ({ name: file, bytes: bytesOf(file), limit: /chart/i.test(file) ? limits.chart : limits.chunk }))
    .toSorted((one, other) => other.bytes - one.bytes);
  return { firstViews, chunks, overweight: [...firstViews, ...chunks].filter(({ bytes, limit }) => bytes > limit) };
};

export const shown = (bytes: number): string => `${(bytes / kilobyte).toFixed(1)} KB`;

/** A build that became too heavy fails. */
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
        const { overweight } = weigh(resolve(config.root, config.build.outDir));
        const lines = overweight.map(({ name, bytes, limit }) => `${name} weighs ${shown(bytes)}, and may weigh ${shown(limit)}`);
        if (lines.length > 0) throw new Error(`Over budget: ${lines.join("; ")}. \`npx node size.ts\` in web lists all chunks.`);
      },
    },
  };
};
