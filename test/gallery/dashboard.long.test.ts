import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOfLook, type Look } from "../kit/browser/axe.ts";
import { analyticsLooks } from "./looks/analytics.ts";
import { apiKeyLooks } from "./looks/api-keys.ts";
import { auditLooks } from "./looks/audit.ts";
import { callLooks } from "./looks/calls.ts";
import { fhirLooks } from "./looks/fhir-providers.ts";
import { leadLooks } from "./looks/leads.ts";
import { navigationLooks } from "./looks/navigation.ts";
import { officeLooks } from "./looks/offices.ts";
import { overviewLooks } from "./looks/overview.ts";
import { settingsLooks } from "./looks/settings.ts";
import { systemLooks } from "./looks/system-health.ts";
import { toDoLooks } from "./looks/to-do.ts";
import { toolLooks } from "./looks/tools.ts";
import { webhookLooks } from "./looks/webhooks.ts";
import { openSite, type Site } from "../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const dashboard: Look[] = [
  analyticsLooks,
  apiKeyLooks,
  auditLooks,
  callLooks,
  fhirLooks,
  leadLooks,
  navigationLooks,
  officeLooks,
  overviewLooks,
  settingsLooks,
  systemLooks,
  toDoLooks,
  toolLooks,
  webhookLooks,
].flat();

describe("at 360, 768 and 1440 px, in light and in dark colors", () => {
  test.each(dashboard)("$name has nothing that axe finds and never scrolls sideways", async (look) => {
    expect(await flawsOfLook(site, look)).toEqual([]);
  });
});
