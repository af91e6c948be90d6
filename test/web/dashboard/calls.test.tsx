import { screen, within } from "@testing-library/react";
import { tenant, tenantCalls, tenantDashboard, tenantOffices, type CallDetail } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { endOfDay, startOfDay } from "../../../web/src/lib/format/zone-day.ts";
import { callDetail, badCall, knowsCalls, listedCall, minutesAgo } from "../../kit/screen/calls.ts";
import { demo, recordedDay } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  eventually,
  filesHandedOut,
  fill,
  hasFocus,
  labeled,
  reads,
  region,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const clinicZone = demo("tenant_admin", tenant.tenantSettings).contactPreferences.businessHours.timezone;
const weekBegins = recordedDay(clinicZone, -6);
const calls: CallDetail[] = [
  badCall(1, { createdAt: minutesAgo(30) }),
  callDetail(2, {
    createdAt: minutesAgo(45),
    duration: null,
    status: "no_answer",
    resolved: false,
    needsFollowUp: true,
    endedReason: null,
  }),
  callDetail(3, { createdAt: minutesAgo(60), duration: 61, resolved: false, forwarded: true }),
  callDetail(4, { createdAt: minutesAgo(90), duration: 272, toolsUsed: ["verifyPatientIdentity", "getPatientInfo"] }),
];
const openCalls = (filters = "", before: (api: FakeApi) => void = () => {}) =>
  asTenant(`/tenant?tab=analytics${filters}`, {
    before(api) {
      knowsCalls(() => calls)(api);
      api.on(tenantDashboard.charts, () => []);
      before(api);
    },
  });
const panel = (): HTMLElement => region("Recent Call Details");
const rows = (): HTMLElement[] => [...panel().querySelectorAll<HTMLElement>("tbody tr")];
const cells = (column: number): string[] => rows().map((row) => textOf(row.querySelectorAll("td")[column - 1] as HTMLElement));
const shows = (count: number): Promise<void> => eventually(() => expect(rows()).toHaveLength(count));
const search = (): HTMLElement => screen.getByLabelText("Calls", { selector: "search" });
const place = (): URLSearchParams => new URLSearchParams(location.search);

describe("the table of calls", () => {
  proves("D1.2-103", async ({ quoted, sees }) => {
    await openCalls();
    const titles = within(panel())
      .getAllByRole("columnheader")
      .map((title) => textOf(title));
    expect(titles.slice(0, 5)).toEqual(quoted.slice(-5));
    expect(within(panel()).getByRole("heading", { name: "Recent Call Details" })).toBeTruthy();
    sees([textOf(panel()), ...titles].join("\n"));
  });
  proves("D1.2-107", async ({ sees }) => {
    await openCalls("", (api) => api.on(tenantCalls.listCalls, () => []));
    expect(rows()).toEqual([]);
    sees(textOf(panel()));
  });
  proves("D1.9-012", async ({ sees }) => {
    await openCalls();
    expect(cells(2)).toEqual(["1m 35s", "N/A", "1m 1s", "4m 32s"]);
    sees(cells(2).join("\n"));
  });
  proves("D1.4-009", async ({ sees }) => {
    await openCalls();
    expect(cells(5)).toEqual(["Transferred Needs follow-up", "Transferred Needs follow-up", "Transferred", "Resolved"]);
    sees(cells(5).join("\n"));
  });

  test("stands in the order of the API, with the time, a status in words and the tools of each call", async () => {
    const { user } = await openCalls();
    expect(rows().map((row) => row.querySelector("time")?.dateTime)).toEqual(calls.map(({ createdAt }) => createdAt));
    expect(cells(3)).toEqual(["Failed", "No answer", "Completed", "Completed"]);
    expect(cells(4).slice(0, 3)).toEqual(["None", "None", "None"]);
    await user.click(within(panel()).getByText("2 tools"));
    expect(cells(4)[3]).toBe("2 tools Verify patient identity verifyPatientIdentity Get patient information getPatientInfo");
  });

  test("shows more calls when asked, and then says that it is all", async () => {
    const many = Array.from({ length: 13 }, (_, index) => listedCall(callDetail(index, { createdAt: minutesAgo(index) })));
    const { api, user } = await openCalls("", (fake) =>
      fake.on(tenantCalls.listCalls, ({ query: { cursor, limit } }) =>
        cursor === undefined ? page(many.slice(0, limit), "second") : many.slice(10),
      ),
    );
    expect(rows()).toHaveLength(10);
    await user.click(button("Load more", panel()));
    await reads(panel, "13 calls shown, that is all");
    expect(rows()).toHaveLength(13);
    expect(api.received(tenantCalls.listCalls).map(({ query }) => [query.limit, query.cursor])).toEqual([
      [10, undefined],
      [10, "second"],
    ]);
  });

  test("that cannot be read says so beside the other panels, and is read again on Retry", async () => {
    const { user } = await openCalls("", (api) => api.once(tenantCalls.listCalls, () => refusal(503)));
    expect(textOf(within(panel()).getByRole("alert"))).toMatch(/Failed to load calls.*Try again later.*0123456789abcdef/);
    expect(textOf(region("Call Analytics"))).toContain("Total Calls");
    await user.click(button("Retry", panel()));
    await shows(4);
  });
});

describe("the filters", () => {
  const openForm = async (before?: (api: FakeApi) => void) => {
    const opened = await openCalls("", before);
    await opened.user.click(button("More filters", panel()));
    return opened;
  };

  test("hold at once where they are buttons, stand in the address, outlive a reload and go with Back", async () => {
    const { user } = await openCalls();
    await user.click(button("Needs follow-up", panel()));
    await shows(2);
    expect(button("Needs follow-up", panel()).getAttribute("aria-pressed")).toBe("true");
    expect([...place()]).toEqual([
      ["tab", "analytics"],
      ["needsFollowUp", "true"],
    ]);
    history.back();
    await shows(4);
    expect(button("Needs follow-up", panel()).getAttribute("aria-pressed")).toBe("false");
    const { api, user: again } = await openCalls("&needsFollowUp=true");
    expect(rows()).toHaveLength(2);
    await again.click(button("Needs follow-up", panel()));
    await again.click(button("Last 7 days", panel()));
    await eventually(() => expect(place().get("from")).toBe(weekBegins));
    await shows(4);
    // The day begins at the tenant's midnight.
    expect(api.received(tenantCalls.listCalls).at(-1)?.query.from).toBe(startOfDay(weekBegins, clinicZone));
  });

  test("find yesterday's failed calls in two clicks", async () => {
    const { api, user } = await openCalls();
    await user.click(button("Yesterday", panel()));
    await user.click(button("Failed calls", panel()));
    const yesterday = place().get("from")!;
    expect([place().get("to"), place().get("status")]).toEqual([yesterday, "failed"]);
    await eventually(() =>
      expect(api.received(tenantCalls.listCalls).at(-1)?.query).toMatchObject({
        from: startOfDay(yesterday, clinicZone),
        to: endOfDay(yesterday, clinicZone),
        status: "failed",
      }),
    );
    for (const name of ["Yesterday", "Failed calls"]) expect(button(name, panel()).getAttribute("aria-pressed")).toBe("true");
  });

  test("of the form hold when they are applied, by Enter too, and keep the focus", async () => {
    const { api, user } = await openForm();
    const asked = () => api.received(tenantCalls.listCalls).length;
    expect(asked()).toBe(1);
    await user.selectOptions(labeled("Status", search()), "Completed");
    await user.selectOptions(labeled("Outcome", search()), "Transferred to a person");
    expect(asked()).toBe(1);
    button("Apply Filters", search()).focus();
    await user.keyboard("{Enter}");
    await shows(1);
    expect(asked()).toBe(2);
    await hasFocus(() => button("Apply Filters", search()));
    expect(cells(2)).toEqual(["1m 1s"]);
    await user.click(button("Clear", search()));
    await shows(4);
    expect(labeled("Status", search()).value).toBe("");
    await user.type(labeled("Search", search()), "Assistant-ERROR{Enter}");
    await shows(1);
    expect(cells(2)).toEqual(["1m 35s"]);
    history.back();
    await eventually(() => expect(labeled("Search", search()).value).toBe(""));
    await shows(4);
  });

  test("that were chosen and not yet applied outlive a period chosen with a button", async () => {
    const { user } = await openForm();
    fill("Search", "assistant-error", search());
    await user.selectOptions(labeled("Status", search()), "Completed");
    await user.click(button("Last 7 days", panel()));
    await eventually(() => expect(labeled("First day", search()).value).toBe(weekBegins));
    expect([labeled("Search", search()).value, labeled("Status", search()).value]).toEqual(["assistant-error", "completed"]);
    await user.click(button("Clear", search()));
    await eventually(() => expect(labeled("First day", search()).value).toBe(""));
    expect(labeled("Search", search()).value).toBe("");
    expect(place().get("from")).toBeNull();
    await settled();
  });

  test("that contradict each other are told at the field, and nothing is asked for", async () => {
    const { api, user } = await openForm();
    fill("First day", "2026-05-02", search());
    fill("Last day", "2026-05-01", search());
    await user.click(button("Apply Filters", search()));
    await reads(search, "Must not be before the first day");
    expect(labeled("Last day", search()).getAttribute("aria-invalid")).toBe("true");
    expect(api.received(tenantCalls.listCalls)).toHaveLength(1);
    fill("Last day", "2026-05-03", search());
    await user.click(button("Apply Filters", search()));
    await reads(panel, "No calls match these filters");
    expect(api.received(tenantCalls.listCalls).at(-1)?.query).toMatchObject({
      from: "2026-05-02T04:00:00.000Z",
      to: "2026-05-04T03:59:59.999Z",
    });
  });

  test("that hide everything offer the way back to all, and the focus goes there", async () => {
    const { user } = await openCalls("&q=no-such-call&needsFollowUp=true");
    expect(textOf(panel())).toContain("No calls match these filters");
    expect(textOf(panel())).not.toContain("No call data available");
    await user.click(button("Show all calls", panel()));
    await shows(4);
    await hasFocus(() => button("Any time", panel()));
    expect([...place()]).toEqual([
      ["tab", "analytics"],
      ["range", "all"],
    ]);
    expect(button("Any time", panel()).getAttribute("aria-pressed")).toBe("true");
  });

  test("an office of the whole tab is one, and says whose calls are shown", async () => {
    const [office] = demo("tenant_admin", tenantOffices.officeCards);
    const { api } = await openCalls(`&office=${office?.id}`);
    expect(textOf(panel())).toContain(`Calls of ${office?.name}, newest first.`);
    expect(api.received(tenantCalls.listCalls).map(({ query }) => query.officeId)).toEqual([office?.id]);
    expect(within(panel()).queryByLabelText("Office")).toBeNull();
  });

  test("an office that a figure has opened is left for all on the page of calls", async () => {
    const [office] = demo("tenant_admin", tenantOffices.officeCards);
    const { api, user } = await asTenant(`/tenant/calls?office=${office?.id}`, { before: knowsCalls(() => calls) });
    await user.selectOptions(labeled("Office", panel()), "All offices");
    await eventually(() => expect(api.received(tenantCalls.listCalls).map(({ query }) => query.officeId)).toEqual([office?.id, undefined]));
  });
});

describe("the export", () => {
  test("holds the calls that pass the filters, and says so", async () => {
    const csv = "Call,Started (UTC)\r\n1,2026-11-23T04:15:09.304Z\r\n";
    const { api, user } = await openCalls("&needsFollowUp=true", (fake) =>
      fake.on(tenantCalls.exportCalls, () => ({ fileName: "calls-2026-11-23.csv", rows: 2, complete: true, csv })),
    );
    const files = filesHandedOut();
    await user.click(button("Export CSV", panel()));
    await reads(toast, /Calls exported.*2 calls in calls-2026-11-23\.csv/);
    expect(files.map(({ name }) => name)).toEqual(["calls-2026-11-23.csv"]);
    expect(await files[0]?.text()).toBe(csv);
    expect(api.received(tenantCalls.exportCalls).map(({ query: { needsFollowUp } }) => needsFollowUp)).toEqual([true]);
  });

  test("says when it is not all of them, as long as these calls are shown", async () => {
    const { user } = await openCalls("", (api) =>
      api.on(tenantCalls.exportCalls, () => ({ fileName: "calls-2026-05-01.csv", rows: 2000, complete: false, csv: "Call\r\n" })),
    );
    filesHandedOut();
    await user.click(button("Export CSV", panel()));
    await reads(panel, /The file holds the newest 2,000 of these calls/);
    await user.click(button("Needs follow-up", panel()));
    await eventually(() => expect(textOf(panel())).not.toContain("newest 2,000"));
    await settled();
  });
});
