import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOfLook } from "../kit/browser/axe.ts";
import { adminComplianceLooks } from "./looks/admin-compliance.ts";
import { adminEhrLooks } from "./looks/admin-ehr.ts";
import { adminErasureLooks } from "./looks/admin-erasures.ts";
import { adminTenantLooks } from "./looks/admin-tenants.ts";
import { adminUserLooks } from "./looks/admin-users.ts";
import { adminVoiceLooks } from "./looks/admin-voice.ts";
import { openSite, type Site } from "../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const faces = [adminUserLooks, adminTenantLooks, adminVoiceLooks, adminEhrLooks, adminComplianceLooks, adminErasureLooks].flat();

describe("at 360, 768 and 1440 px, in light and in dark colors", () => {
  test.each(faces)("$name has nothing that axe finds and never scrolls sideways", async (look) => {
    expect(await flawsOfLook(site, look)).toEqual([]);
  });
});
