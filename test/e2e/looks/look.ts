import type { Page } from "playwright-core";
import type { Login, Site } from "../site.fixture.ts";

/** A face of the site that is worth a look by itself: who sees it, and how it comes about. */
export type Look = {
  name: string;
  /** Who is signed in; a stranger when absent. */
  as?: (site: Site) => Login;
  /** Requests that fail on purpose, as "503 GET /api/tenant/calls". */
  refused?: string[];
  arrange: (page: Page, site: Site) => Promise<unknown>;
};

/** The administrator of the first tenant. */
export const asTenant = (site: Site): Login => site.demo.tenants[0]!.admin;
