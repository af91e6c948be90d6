import { screen, within } from "@testing-library/react";
import { tenant, tenantFhirProviders, tenantOffices, type OfficeCard } from "@vitaline/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import { changed, demoOffice, keepOffices } from "../../kit/screen/offices.ts";
import {
  article,
  asTenant,
  button,
  described,
  dialog,
  dialogOpened,
  eventually,
  hasFocus,
  isGone,
  labeled,
  link,
  reads,
  region,
  tab,
  textOf,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const main = demoOffice(0);
const second = changed(demoOffice(1), {
  isActive: false,
  staffCount: 1200,
  businessHours: { start: "08:00", end: "16:30", days: { sunday: null } },
});
const offices = [main, { ...second, fhirEnabled: false, voiceAgentCount: 0 }];
const keep = (api: FakeApi) => void keepOffices(api, ...offices);
const openTab = () => asTenant("/tenant?tab=offices", { before: keep });
const lineOf = ({ name }: { name: string }, term: string): string => described(term, article(name));

describe("the offices tab", () => {
  describe("reads", () => {
    beforeEach(openTab);

    proves("D1.2-109", ({ sees }) => {
      const text = textOf(region("Office Management"));
      sees(text);
      expect(text).toMatch(/^Office Management/);
    });
    proves("D1.2-111", () => {
      for (const { name, isActive } of offices)
        expect(textOf(article(name))).toMatch(new RegExp(`^${name} ${isActive ? "Active" : "Inactive"} `));
    });
    proves("D1.2-112", () => {
      for (const office of offices) expect([lineOf(office, "Address"), lineOf(office, "Phone")]).toEqual([office.address, office.phone]);
    });
    proves("D1.2-113", () => {
      expect([lineOf(main, "Staff"), lineOf(second, "Staff")]).toEqual(["Not set", "1,200"]);
    });
    proves("D1.2-114", () => {
      expect(lineOf(main, "Business hours")).toBe("Every day 9:00 AM – 5:00 PM Eastern Time");
      expect(lineOf(second, "Business hours")).toBe("Mon–Sat 8:00 AM – 4:30 PM Sun closed Eastern Time");
    });
    proves("D1.2-115", () => {
      expect(main.voiceAgentCount).toBe(1);
      expect([lineOf(main, "Voice agents"), lineOf(second, "Voice agents")]).toEqual(["1", "None"]);
    });
    proves("D1.2-116", () => {
      expect(main.fhirEnabled).toBe(true);
      expect([lineOf(main, "FHIR"), lineOf(second, "FHIR")]).toEqual(["Enabled", "Not enabled"]);
    });
    proves("D1.2-118", ({ sees }) => {
      const text = textOf(region("Office-Level Features"));
      sees(text);
      expect(text).toMatch(/^Office-Level Features/);
    });
    proves("D1.2-119", ({ sees }) => {
      const text = textOf(region("Office-Level Features"));
      sees(text);
      const named = ["individual voice agents", "location-specific FHIR", "business hours override", "staff routing", "local analytics"];
      for (const name of [...named, "template overrides"]) expect(text.toLowerCase()).toContain(name.toLowerCase());
    });
  });

  proves("D1.2-110", async ({ sees }) => {
    const { user } = await openTab();
    sees(textOf(region("Office Management")));
    await user.click(button("Add Office"));
    await dialogOpened();
    await reads(dialog, /Add Office.*Office name/);
    await hasFocus(() => labeled("Office name"));
  });
  proves("D1.2-117", async ({ sees }) => {
    const { user } = await asTenant("/tenant?tab=offices", { before: (api) => api.on(tenantOffices.officeCards, () => []) });
    const text = textOf(region("Office Management"));
    sees(text);
    expect(text).toMatch(/No Offices Configured Add your first office/);
    await user.click(link(/Staff routing/, region("Office-Level Features")));
    await dialogOpened();
    await reads(dialog, /Add Office/);
  });
  proves("D1.2-120", async () => {
    await asTenant(`/tenant?tab=offices&office=${main.id}&part=details`, { before: keep });
    await dialogOpened();
    const values = ["Office name", "Address", "Phone", "Email"].map((label) => labeled(label).value);
    expect(values).toEqual([main.name, main.address, main.phone, ""]);
    expect(screen.getByRole<HTMLInputElement>("switch", { name: /^Active/ }).checked).toBe(true);
  });
  proves("D1.4-007", async ({ sees }) => {
    const isActive = { organization: true, provider: true };
    const before = (api: FakeApi) => {
      keep(api);
      api.on(tenant.tenantInfo, () => ({ ...demo("tenant_admin", tenant.tenantInfo), isActive: isActive.organization }));
      api.on(tenantFhirProviders.listTenantFhirProviders, () =>
        demo("tenant_admin", tenantFhirProviders.listTenantFhirProviders).map((one) => ({ ...one, isActive: isActive.provider })),
      );
    };
    const badge = (part: HTMLElement) => /\b(?:Active|Inactive)\b/.exec(textOf(part))?.[0];
    const { user } = await asTenant("/tenant?tab=offices", { before });
    sees(textOf(region("Office Management")));
    expect(offices.map(({ name }) => badge(article(name)))).toEqual(["Active", "Inactive"]);
    await user.click(link(`Edit ${second.name}`));
    await dialogOpened();
    expect(screen.getByRole<HTMLInputElement>("switch", { name: /^Active/ }).checked).toBe(false);
    for (const [organization, provider] of [
      [true, false],
      [false, true],
    ] as const) {
      Object.assign(isActive, { organization, provider });
      const told = (is: boolean) => (is ? "Active" : "Inactive");
      await asTenant("/tenant?tab=fhir", { before });
      expect(badge(within(screen.getByRole("tabpanel")).getAllByRole("article")[0] as HTMLElement)).toBe(told(provider));
      await asTenant("/tenant?tab=api-keys", { before });
      expect(described("Status", region("API Key Management"))).toBe(told(organization));
    }
  });

  test("each feature leads to where it is set for the chosen office", async () => {
    const { user } = await openTab();
    const part = region("Office-Level Features");
    await user.selectOptions(labeled("Office", part), second.name);
    for (const [action, name] of [
      ["Assign voice agents", "Voice agents"],
      ["Choose the record system", "Record system"],
      ["Set business hours", "Hours"],
      ["Set staff routing", "Staff routing"],
      ["Write message texts", "Messages"],
    ] as const) {
      const way = link(`${action} at ${second.name}`, part);
      way.focus();
      await user.keyboard("{Enter}");
      await dialogOpened();
      await reads(dialog, second.name);
      expect(tab(name, dialog()).getAttribute("aria-selected")).toBe("true");
      await user.keyboard("{Escape}");
      await isGone("dialog");
    }
    const analytics = link(`See analytics at ${second.name}`, part);
    expect(analytics.getAttribute("href")).toContain(`tab=analytics&office=${second.id}`);
  });
  test("offices that do not load can be asked for again, and the rest of the tab works meanwhile", async () => {
    const { user } = await asTenant("/tenant?tab=offices", { before: (api) => api.once(tenantOffices.officeCards, () => refusal(503)) });
    await reads(() => screen.getByRole("alert"), /Failed to load offices/);
    expect(region("Office-Level Features")).toBeTruthy();
    await user.click(button("Retry"));
    await eventually(() => expect(article(main.name)).toBeTruthy());
  });
  test("an office that the API does not give is not shown, and an address that is no id opens nothing", async () => {
    const other: OfficeCard["id"] = "01m83bhqgw9yj2xn6w85hqgxjg";
    await asTenant(`/tenant?tab=offices&office=${other}`, { before: keep });
    await dialogOpened();
    await reads(dialog, /Failed to load the office/);
    const { api } = await asTenant("/tenant?tab=offices&office=..", { before: keep });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(api.received(tenantOffices.getOwnOffice)).toEqual([]);
  });
});
