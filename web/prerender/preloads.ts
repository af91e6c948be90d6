import type { Manifest } from "vite";

const layout = "src/app/public-layout.tsx";

const pages: Record<string, string> = {
  "/": "src/features/site/landing-page.tsx",
  "/healthcare": "src/features/site/landing-page.tsx",
  "/dashboard": "src/features/site/hub-page.tsx",
  "/pricing": "src/features/site/pricing-page.tsx",
  "/contact": "src/features/site/contact-page.tsx",
  "/login": "src/features/sessions/login-page.tsx",
  "/admin-login": "src/features/sessions/login-page.tsx",
  "/admin/login": "src/features/sessions/login-page.tsx",
  "/forgot-password": "src/features/accounts/forgot-password-page.tsx",
  "/reset-password/:token": "src/features/accounts/mailed-link-page.tsx",
  "/accept-invite/:token": "src/features/accounts/mailed-link-page.tsx",
  "/404.html": "src/features/site/not-found-page.tsx",
};

const collect = (manifest: Manifest, key: string, into: Set<string>): void => {
  const chunk = manifest[key];
  if (!chunk || into.has(chunk.file)) return;
  into.add(chunk.file);
  for (const next of chunk.imports ?? []) collect(manifest, next, into);
};

/** Every script that runs before a page's root has its content: the entry, the layout, the page and what they import. */
export const scriptsOf = (manifest: Manifest, sources: readonly string[]): string[] => {
  const files = new Set<string>();
  for (const source of sources) {
    if (!manifest[source]) throw new Error(`The build has no chunk for ${source}.`);
    collect(manifest, source, files);
  }
  return [...files];
};

export const preloadsOf = (manifest: Manifest, path: string): string[] => {
  const page = pages[path];
  if (!page) throw new Error(`prerender/preloads.ts names no page for ${path}.`);
  const already = new Set(scriptsOf(manifest, ["index.html"]));
  return scriptsOf(manifest, [layout, page])
    .filter((file) => !already.has(file))
    .map((file) => `/${file}`);
};
