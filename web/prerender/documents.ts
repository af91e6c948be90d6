import { dashboard, tenant, tenantDashboard } from "@vitaline/contract";
import type { Manifest } from "vite";
import { addressOf } from "../src/lib/api/call.ts";
import { type Access, type Page, pages } from "../src/lib/routing/pages.ts";

/** A page as the CDN serves it: `file` is its document in the build. */
export type Document = { path: string; file: string; access: Access; view: Page["view"] };

/** The document of the pages behind a login that have none of their own: it shows no heading. */
const shell = "/app.html";
/** Where a sign-in leads. */
const dashboards: Readonly<Record<string, string>> = { "tenant-dashboard": "/tenant/index.html", "admin-dashboard": "/admin/index.html" };

/** What a dashboard reads first for each of its users. */
const firstReads: Readonly<Record<string, readonly string[]>> = {
  "tenant-dashboard": [addressOf(tenantDashboard.tenantMetrics, { query: { compare: "true" } }), addressOf(tenant.tenantSettings, {})],
  "admin-dashboard": [addressOf(dashboard.platformMetrics, {})],
};

/** Attributes of a document, by which its script asks for them. */
export const readsOf = ({ access, view }: Document): { role: Access; reads: readonly string[] } | undefined =>
  firstReads[view] && { role: access, reads: firstReads[view] };

const notFound = "/404.html";

/** "/reset-password/:token" is served from "/reset-password/index.html". */
const fileOf = (access: Access, { path, view }: Page): string => {
  if (access !== "public") return dashboards[view] ?? shell;
  return `${path.replace(/\/(:.*)?$/, "")}/index.html`;
};

export const documents: readonly Document[] = (Object.keys(pages) as Access[]).flatMap((access) =>
  pages[access].map((page) => {
    const { path, view } = page;
    return path === "*" ? { path: notFound, file: notFound, access, view } : { path, file: fileOf(access, page), access, view };
  }),
);

const layouts = { public: "src/app/public-layout.tsx", app: "src/app/app-layout.tsx" };

const sourcesOf = (manifest: Manifest, { access, view }: Document): string[] => {
  const source = Object.keys(manifest).find((key) => key.startsWith("src/features/") && key.endsWith(`/${view}-page.tsx`));
  if (!source) throw new Error(`The build has no chunk of ${view}-page.tsx.`);
  return [access === "public" ? layouts.public : layouts.app, source];
};

const entry = "index.html";

/** The files of the scripts that run before the page at `path` has its content: the entry, the layout, the page and their imports. */
export const scriptsOf = (manifest: Manifest, path: string): string[] => {
  const document = documents.find((one) => one.path === path);
  if (!document) throw new Error(`No page has the path ${path}.`);
  return filesOf(manifest, [entry, ...sourcesOf(manifest, document)]);
};

export const entryScripts = (manifest: Manifest): string[] => filesOf(manifest, [entry]);

/** The addresses of the scripts to preload with a document. It names the entry's scripts itself; the shell is that of many pages. */
export const preloadsOf = (manifest: Manifest, { path, file }: Document): string[] => {
  const named = new Set(entryScripts(manifest));
  const scripts = file === shell ? filesOf(manifest, [entry, layouts.app]) : scriptsOf(manifest, path);
  return scripts.filter((one) => !named.has(one)).map((one) => `/${one}`);
};

const filesOf = (manifest: Manifest, sources: readonly string[]): string[] => {
  const files = new Set<string>();
  const collect = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no chunk of ${key}.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const next of chunk.imports ?? []) collect(next);
  };
  for (const source of sources) collect(source);
  return [...files];
};
