import { fireEvent, screen, within } from "@testing-library/react";
import { AuditRange, exports, tenant, tenantAudit, type AuditExport, type AuditLog } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { demo, demoUser, inDays, recordedAt, recordedDay } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  described,
  dialog,
  eventually,
  holdTime,
  link,
  reads,
  region,
  settled,
  textOf,
  toast,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const address = "/tenant?tab=audit";
const secondsAgo = (seconds: number): string => new Date(recordedAt.getTime() - seconds * 1000).toISOString();
const [ordinary] = demo("tenant_admin", tenantAudit.auditLogs) as [AuditLog, ...AuditLog[]];

const event = (action: string, seconds: number, change: Partial<AuditLog> = {}): AuditLog => {
  const { actorName: _, ...rest } = ordinary;
  return {
    ...rest,
    id: `event-${action}-${seconds}`,
    createdAt: secondsAgo(seconds),
    actorId: "planted",
    actionType: "api_call",
    action,
    act: `Acted a ${action.split(".", 1)[0]}`,
    resourceType: "Planted",
    ipAddress: "198.51.100.1",
    requestId: `request-of-${action}`,
    ...change,
  };
};
const plain = event("plain.act", 60, { detail: { changed: "name,phone", count: 1204 } });
const system = event("system.act", 70, { actorKind: "system", actorId: null, ipAddress: null, resourceType: "" });
const failed = event("failed.act", 80, {
  ...{ act: "Tried to act a failed", success: false, code: "not_found", actionType: "data_query", requestId: "one-request" },
});
const bold = event("<b>bold</b>.act", 90, { actionType: "patient_access", requestId: "one-request" });
const old = event("old.act", 20 * 86_400, { actionType: "configuration_change" });
const many = Array.from({ length: 60 }, (_, at) => event("many.act", 3600 + at));
const usual = [plain, system, failed, bold];
const log = [...usual, ...many, old];

const days: Record<AuditRange, number> = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };
const pageSize = 50;

/** Answers as the log's route does: filtered by kind, time and text, fifty events a page. */
const answerFrom = (events: () => readonly AuditLog[]) => (api: FakeApi) =>
  api.on(tenantAudit.auditLogs, ({ query: { search = "", actionType, timeRange, cursor } }) => {
    const found = events().filter(
      (one) =>
        (actionType === "all" || one.actionType === actionType) &&
        one.createdAt > secondsAgo(days[timeRange] * 86_400) &&
        `${one.action} ${one.requestId}`.toLowerCase().includes(search.toLowerCase()),
    );
    const from = Number(cursor ?? 0);
    const next = from + pageSize;
    return page(found.slice(from, next), next < found.length ? String(next) : undefined);
  });

const openLog = (query = "&search=.act", events = usual, before?: (api: FakeApi) => void): Promise<Screen> =>
  asTenant(`${address}${query}`, {
    before: (api) => {
      answerFrom(() => events)(api);
      before?.(api);
    },
  });

const panel = () => region("Audit & Compliance");
const table = () => within(panel()).getByRole("table");
const rows = (): HTMLTableRowElement[] => [...document.querySelectorAll<HTMLTableRowElement>("search ~ * tbody tr")];
const row = (action: string): HTMLTableRowElement => {
  const found = rows().find((one) => textOf(one).includes(action));
  if (!found) throw new Error(`No row of the log shows ${action}`);
  return found;
};
const cells = (action: string): string[] => [...row(action).cells].map(textOf);
/** The codes of the actions that the table shows, each once. */
const actions = (): string[] => {
  const shown = rows().map(
    (one) =>
      textOf(one.cells[2]!)
        .split(/,? details /)[1]
        ?.split(" ·")[0] ?? "",
  );
  return [...new Set(shown)];
};
const showsOnly = (...expected: string[]): Promise<void> => eventually(() => expect(actions()).toEqual(expected));
const search = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search" });
const choice = (label: string) => screen.getByLabelText<HTMLSelectElement>(label);
const valuesOf = (label: string): string[] => [...choice(label).options].map(({ value }) => value);
const write = async ({ user }: Screen, text: string): Promise<void> => {
  await user.clear(search());
  await user.click(search());
  await user.paste(text);
};
const apply = async ({ user }: Screen): Promise<void> => {
  await user.click(button("Apply Filters"));
  await settled();
};
const addressed = (): URLSearchParams => new URLSearchParams(location.search);

type Reading = Record<"text", string> & Record<"headers" | "plainCells" | "systemCells" | "failedCells", string[]>;
let reading: Promise<Reading> | undefined;
const readLog = async (): Promise<Reading> => {
  await openLog();
  const headers = within(table()).getAllByRole("columnheader").map(textOf);
  const text = textOf(panel());
  return { text, headers, plainCells: cells("plain.act"), systemCells: cells("system.act"), failedCells: cells("failed.act") };
};
/** What the tab shows of the usual events, read once. */
const usualLog = (): Promise<Reading> => (reading ??= readLog());

describe("the audit tab", () => {
  proves("D1.2-121", async ({ sees }) => {
    const { text } = await usualLog();
    sees(text);
    expect(text).toMatch(/^Audit & Compliance Who did what, newest first\./);
  });
  proves("D1.2-122", async ({ sees }) => {
    await openLog("", usual, (api) => {
      const status = demo("tenant_admin", tenantAudit.auditStatus);
      api.once(tenantAudit.auditStatus, () => ({ ...status, lastVerifiedAt: recordedAt.toISOString(), intact: true }));
    });
    const claims = textOf(screen.getByRole("list", { name: "Compliance" }));
    sees(claims);
    expect(claims).toMatch(/HIPAA Compliance Active Last verified .*: every archived event is intact\./);
  });
  proves("D1.2-123", async ({ sees }) => {
    const { text } = await usualLog();
    sees(text);
    const { archivedRows } = demo("tenant_admin", tenantAudit.auditStatus);
    expect(text).toMatch(new RegExp(`Data Access Monitoring Enabled ${archivedRows} events archived, the last `));
    expect(text).toMatch(/HIPAA Compliance Active Every access is logged\. The archive waits for its first verification\./);
  });
  proves("D1.2-124", async ({ sees }) => {
    const { text } = await usualLog();
    sees(text);
    expect(text).toMatch(/Log Retention 7 Years Events are kept for 7 years/);
  });

  proves("D1.2-125", async () => {
    const opened = await openLog("", log);
    await write(opened, "FAILED.a");
    await apply(opened);
    await showsOnly("failed.act");
    expect(addressed().get("search")).toBe("FAILED.a");
    expect(opened.api.received(tenantAudit.auditLogs).at(-1)?.query.search).toBe("FAILED.a");
  });
  proves("D1.2-126", async () => {
    const opened = await openLog();
    expect(valuesOf("Action type")).toEqual(["all", "patient_access", "data_query", "api_call", "configuration_change"]);
    await opened.user.selectOptions(choice("Action type"), "data_query");
    await apply(opened);
    await showsOnly("failed.act");
    await opened.user.selectOptions(choice("Action type"), "patient_access");
    await apply(opened);
    await showsOnly("<b>bold</b>.act");
    expect(opened.api.received(tenantAudit.auditLogs).map(({ query }) => query.actionType)).toEqual([
      "all",
      "data_query",
      "patient_access",
    ]);
  });
  proves("D1.2-127", async () => {
    const opened = await openLog("&search=old.act", log);
    expect(valuesOf("Time range")).toEqual(["24hours", "7days", "30days", "90days"]);
    expect(choice("Time range").value).toBe("7days");
    await reads(panel(), "No audit logs found");
    await opened.user.selectOptions(choice("Time range"), "30days");
    await apply(opened);
    await showsOnly("old.act");
    expect(opened.api.received(tenantAudit.auditLogs).map(({ query }) => query.timeRange)).toEqual(["7days", "30days"]);
  });

  proves("D1.2-128", async ({ sees }) => {
    const opened = await openLog();
    sees(textOf(button("Apply Filters")));
    const before = actions();
    await opened.user.selectOptions(choice("Action type"), "data_query");
    await write(opened, "failed");
    await reads(panel(), "Filters changed, not applied yet");
    expect([actions(), addressed().get("search")]).toEqual([before, ".act"]);
    await opened.user.type(search(), "{Enter}");
    await showsOnly("failed.act");
    expect(location.search).toMatch(/tab=audit.*search=failed.*actionType=data_query/);
  });

  test("shows what an address asks for, whether it is opened, reached by Back or by Forward", async () => {
    const opened = await openLog("&search=failed&actionType=data_query");
    expect([actions(), choice("Action type").value, search().value]).toEqual([["failed.act"], "data_query", "failed"]);
    await opened.user.selectOptions(choice("Action type"), "all");
    await write(opened, ".act");
    await apply(opened);
    await showsOnly(...usual.map(({ action }) => action));
    history.back();
    await showsOnly("failed.act");
    expect([choice("Action type").value, search().value]).toEqual(["data_query", "failed"]);
    history.forward();
    await showsOnly(...usual.map(({ action }) => action));
    expect([choice("Action type").value, search().value]).toEqual(["all", ".act"]);
  });

  proves("D1.2-130", async ({ sees }) => {
    const { headers, plainCells } = await usualLog();
    sees(headers.map((header) => `'${header}'`).join(", "));
    expect(headers).toEqual(["Timestamp", "Actor", "Action", "Resource", "IP Address", "Status"]);
    expect(plainCells).toEqual([
      expect.stringMatching(/^[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/),
      "User planted",
      "Acted a plain, details plain.act",
      "Planted",
      "198.51.100.1",
      "Success",
    ]);
  });
  const showsBoth = (id: string, column: number, expected: [string, string]) =>
    proves(id, async ({ sees }) => {
      const { plainCells, systemCells } = await usualLog();
      sees(systemCells[column]);
      expect([plainCells[column], systemCells[column]]).toEqual(expected);
    });
  showsBoth("D1.2-131", 1, ["User planted", "System The platform itself"]);
  showsBoth("D1.2-132", 3, ["Planted", "N/A"]);
  showsBoth("D1.2-133", 4, ["198.51.100.1", "N/A"]);
  proves("D1.2-134", async ({ sees }) => {
    const { plainCells, failedCells } = await usualLog();
    sees(`${plainCells[5]} ${failedCells[5]}`);
    expect([plainCells[5], failedCells[5]]).toEqual(["Success", "Failed"]);
  });

  proves("D1.2-135", async ({ sees }) => {
    const { user } = await openLog("&search=nothing-is-called-so");
    sees(textOf(panel()));
    expect(within(panel()).queryByRole("table")).toBeNull();
    await user.click(button("Clear Filters"));
    await showsOnly(...usual.map(({ action }) => action));
    expect([...addressed().keys()]).toEqual(["tab"]);
    expect(document.activeElement).toBe(search());
  });
  proves("D1.2-136", async ({ sees }) => {
    let held = { release: () => {} };
    const opened = openLog("", usual, (api) => (held = api.hold(tenantAudit.auditLogs)));
    const loading = () => screen.queryAllByRole("status").filter((one) => textOf(one).startsWith("Loading audit"));
    await eventually(() => expect(loading()).toHaveLength(1));
    sees(loading().map(textOf).join(" "));
    held.release();
    await opened;
    expect([loading(), rows()]).toEqual([[], expect.objectContaining({ length: usual.length })]);
  });

  test("shows an event's text as text, and everything of it when it is opened with the keyboard", async () => {
    const { user } = await openLog();
    expect(textOf(row("bold"))).toContain("<b>bold</b>.act");
    within(row("plain.act")).getByRole("button").focus();
    await user.keyboard("{Enter}");
    await reads(dialog, /Acted a plain .*plain\.act.*planted.*198\.51\.100\.1.*request-of-plain\.act/);
    expect([described("Changed", dialog()), described("Count", dialog())]).toEqual(["name, phone", "1,204"]);
    await user.click(button("Close", dialog()));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("tells why something failed, and shows all of the same request", async () => {
    const { user } = await openLog();
    await user.click(within(row("failed.act")).getByRole("button"));
    await reads(dialog, /^Tried to act a failed/);
    expect([described("Status", dialog()), described("Reason", dialog())]).toEqual(["Failed", "Not found"]);
    await user.click(button("Show all of this request", dialog()));
    await showsOnly("failed.act", "<b>bold</b>.act");
    expect([search().value, screen.queryByRole("dialog"), document.activeElement]).toEqual(["one-request", null, search()]);
  });

  test("reads on where the page ends, until all is shown", async () => {
    const { user } = await openLog("&search=many.act", log);
    expect(rows()).toHaveLength(pageSize);
    await user.click(button("Load more"));
    await eventually(() => expect(rows()).toHaveLength(many.length));
    await reads(panel(), `${many.length} events shown, that is all`);
  });

  test("asks again for the log as it is now when the same filters are applied once more", async () => {
    let known: AuditLog[] = [];
    const opened = await asTenant(`${address}&search=plain`, { before: answerFrom(() => known) });
    await reads(panel(), "No audit logs found");
    known = [plain];
    await apply(opened);
    await showsOnly("plain.act");
    expect(addressed().get("search")).toBe("plain");
  });

  test("lists days of one's own, any of the seven years, beside the time range, and keeps them in the address", async () => {
    const opened = await openLog();
    const day = (label: string) => within(panel()).getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
    const enter = (label: string, value: string) => fireEvent.change(day(label), { target: { value } });
    enter("First day", "2021-02-01");
    await opened.user.click(button("Apply Filters"));
    expect(document.activeElement).toBe(day("Last day"));
    await reads(panel(), "Choose the last day.");
    enter("Last day", "2023-01-31");
    await apply(opened);
    const asked = () => opened.api.received(tenantAudit.auditLogs).at(-1)?.query;
    expect(asked()).toMatchObject({ start: "2021-02-01", end: "2023-01-31", timeZone: clinicZone, search: ".act" });
    expect([addressed().get("start"), addressed().get("end")]).toEqual(["2021-02-01", "2023-01-31"]);
    await opened.user.click(button("Clear Filters"));
    await settled();
    expect([asked()?.start, addressed().get("start"), day("First day").value]).toEqual([undefined, null, ""]);
  });

  test("refuses a search that is too long, keeps it, and warns of patients' names", async () => {
    const opened = await openLog();
    const before = actions();
    const tooLong = "x".repeat(101);
    await write(opened, tooLong);
    await opened.user.click(button("Apply Filters"));
    expect(document.activeElement).toBe(search());
    await reads(panel(), /Must be at most 100 characters\. An ID, a code or an IP address\. Do not enter patient names/);
    expect([search().value, actions(), addressed().get("search")]).toEqual([tooLong, before, ".act"]);
    await write(opened, "plain");
    await apply(opened);
    await showsOnly("plain.act");
    expect(textOf(panel())).not.toContain("at most 100");
  });

  test("takes no search that is too long from an address", async () => {
    await openLog(`&search=${"x".repeat(101)}`);
    expect([actions().length, search().value]).toEqual([usual.length, ""]);
  });

  test("says that the log did not load, leaves the rest alone and tries again", async () => {
    const problem = { error: "The log could not be reached.", requestId: "req-7" };
    const { user } = await openLog("", usual, (api) => api.once(tenantAudit.auditLogs, () => refusal(503, problem)));
    await reads(() => within(panel()).getByRole("alert"), /Failed to load audit logs The log could not be reached\. Request ID: req-7/);
    await reads(screen.getByRole("list", { name: "Compliance" }), "Events are kept for 7 years");
    await user.click(button("Retry"));
    await showsOnly(...usual.map(({ action }) => action));
    expect(within(panel()).queryByRole("alert")).toBeNull();
  });

  test("says what the last verification found wrong instead of the claim, and where to ask", async () => {
    await openLog("", usual, (api) =>
      api.on(tenantAudit.auditStatus, () => ({
        ...{ retentionYears: 7, archivedRows: 9, archivedAt: "2026-05-08T09:00:00.000Z" },
        ...{ lastVerifiedAt: "2026-05-08T10:00:00.000Z", intact: false },
      })),
    );
    const claims = screen.getByRole("list", { name: "Compliance" });
    expect(textOf(claims)).toMatch(/Audit Archive Not Intact Last verified May 8.*not every archived event is intact\. Contact support/);
    expect(textOf(claims)).not.toContain("HIPAA Compliance Active");
    expect(link("Contact support", claims).getAttribute("href")).toBe("/contact");
    expect(within(claims).getAllByRole("listitem")).toHaveLength(3);
  });

  test("names who it was before their id, and of what was refused what it was", async () => {
    const route = "PUT /api/tenant/offices/{officeId}";
    const refused = event("access.refuse", 5, {
      ...{ act: "Tried to do what their role does not allow", success: false, code: "read_only", resourceType: "Route", resourceId: route },
    });
    await openLog("", [refused, { ...ordinary, id: "of-a-person", actorName: "Rita Rivers" }]);
    expect(cells("access.refuse").slice(2, 4)).toEqual([
      "Tried to do what their role does not allow, details access.refuse · read_only",
      `Route ${route}`,
    ]);
    expect(cells(ordinary.action)[1]).toBe(`Rita Rivers ${ordinary.actorId}`);
  });
});

const clinicZone = "America/New_York";
const queued: AuditExport = {
  ...{
    exportId: "01hzzzzzzzzzzzzzzzzzzzzzz9",
    format: "csv",
    start: recordedDay(clinicZone, -6),
    end: recordedDay(clinicZone),
    timeZone: clinicZone,
  },
  ...{ tenantId: null, requestedBy: demoUser("tenant_admin").id, requestedAt: recordedAt.toISOString() },
  ...{ expiresAt: inDays(7), rows: null, bytes: null, state: "queued" },
};
const ready: AuditExport = { ...queued, state: "ready", rows: 12_345, bytes: 987_654 };
const file = "https://files.example/audit.csv?X-Amz-Signature=secret";
const earlier = () => region("Earlier exports");
const openExport = async ({ user }: Screen): Promise<HTMLElement> => {
  await user.click(button("Export Logs"));
  return dialog();
};
const send = (part: HTMLElement): HTMLElement => button("Export", part);

describe("an export of the log", () => {
  let saved: string[];
  /** Downloads stop before the browser saves a file. */
  const openExports = (before?: (api: FakeApi) => void, query = "&search=.act"): Promise<Screen> => {
    saved = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.href);
    });
    return openLog(query, usual, before);
  };
  /** A platform that writes a file at once. */
  const writesAtOnce = (api: FakeApi): void => {
    const written: AuditExport[] = [];
    api.on(exports.exportTenantAudit, ({ body: { format, start, end, timeZone } }) => {
      const one: AuditExport = {
        ...ready,
        exportId: `01hzzzzzzzzzzzzzzzzzzzzzz${written.length}`,
        format,
        start: start ?? "",
        end: end ?? "",
        timeZone,
        rows: 1,
        bytes: 812,
      };
      written.unshift(one);
      return { ...one, url: file };
    });
    api.on(exports.tenantAuditExports, () => written);
    api.on(exports.tenantAuditExport, () => ({ ...written[0]!, url: `${file}&again` }));
  };

  proves("D1.2-129", async ({ sees }) => {
    const opened = await openExports(writesAtOnce, "&search=.act&actionType=data_query&range=24hours");
    sees(textOf(button("Export Logs")));
    const { timeZone } = demo("tenant_admin", tenant.tenantSettings);
    await reads(panel(), "Times are in Eastern Time.");
    const part = await openExport(opened);
    expect([described("Action type", part), described("Search", part)]).toEqual(["Data query", ".act"]);
    await opened.user.dblClick(send(part));
    await reads(toast, /Export ready 1 events?\. The download has started\./);
    expect([saved, screen.queryByRole("dialog")]).toEqual([[file], null]);
    const dayOf = (instant: string) => new Date(instant).toLocaleDateString("en-CA", { timeZone });
    const asked = { start: dayOf(secondsAgo(86_400)), end: dayOf(secondsAgo(0)), timeZone };
    expect(opened.api.received(exports.exportTenantAudit).map(({ body }) => body)).toEqual([
      { ...asked, format: "csv", actionType: "data_query", search: ".act" },
    ]);
    await eventually(() => expect(textOf(within(earlier()).getAllByRole("row")[1]!)).toMatch(/You .* CSV 1 812 bytes Ready/));
    await opened.user.click(button(/^Download/, earlier()));
    await eventually(() => expect(saved).toEqual([file, `${file}&again`]));
  });

  test("of more than a year becomes a file for each year, of days that are chosen in its dialog or in the filters", async () => {
    const opened = await openExports(writesAtOnce, "&start=2023-11-05&end=2023-12-05");
    const part = await openExport(opened);
    const first = within(part).getByLabelText<HTMLInputElement>("First day");
    expect([first.value, described("Days", part)]).toEqual(["2023-11-05", `Nov 5 to Dec 5, 2023, whole days (Eastern Time)`]);
    fireEvent.change(first, { target: { value: "2011-01-01" } });
    await opened.user.click(send(part));
    await reads(part, "The log is kept for seven years.");
    fireEvent.change(first, { target: { value: "2021-03-02" } });
    await eventually(() => expect(described("Files", part)).toBe("3 files, one for each year"));
    await opened.user.click(send(part));
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(opened.api.received(exports.exportTenantAudit).map(({ body }) => [body.start, body.end])).toEqual([
      ["2021-03-02", "2021-12-31"],
      ["2022-01-01", "2022-12-31"],
      ["2023-01-01", "2023-12-05"],
    ]);
    expect(saved).toHaveLength(3);
  });

  test("is json or pdf, too", async () => {
    const opened = await openExports(writesAtOnce);
    for (const format of ["json", "pdf"]) {
      const part = await openExport(opened);
      await opened.user.selectOptions(within(part).getByLabelText("Format"), format);
      await opened.user.click(send(part));
      await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    }
    expect(opened.api.received(exports.exportTenantAudit).map(({ body }) => body.format)).toEqual(["json", "pdf"]);
    expect(saved).toHaveLength(2);
  });

  test("that is refused says why in its dialog, keeps what was chosen and can be sent again", async () => {
    const opened = await openExports((api) => {
      writesAtOnce(api);
      api.once(exports.exportTenantAudit, () => refusal(503, { error: "The export could not be started." }));
    });
    const part = await openExport(opened);
    const format = within(part).getByLabelText<HTMLSelectElement>("Format");
    await opened.user.selectOptions(format, "json");
    await opened.user.click(send(part));
    await reads(() => within(part).getByRole("alert"), "The export could not be started");
    expect([format.value, saved]).toEqual(["json", []]);
    await opened.user.click(send(part));
    await eventually(() => expect(saved).toEqual([file]));
    expect(opened.api.received(exports.exportTenantAudit).at(-1)?.body.format).toBe("json");
  });

  test("that takes its time is waited for, downloaded when it is ready, and sent once however often it is pressed", async () => {
    const pass = holdTime();
    let asked = 0;
    const opened = await openExports((api) => {
      api.on(exports.exportTenantAudit, () => queued);
      api.on(exports.tenantAuditExports, () => (api.received(exports.exportTenantAudit).length === 0 ? [] : [asked > 1 ? ready : queued]));
      api.on(exports.tenantAuditExport, () => ((asked += 1) > 1 ? { ...ready, url: file } : queued));
    });
    const part = await openExport(opened);
    await opened.user.dblClick(send(part));
    await reads(toast, "Export started");
    await reads(earlier, /Being written Not yet/);
    await pass(1900);
    expect(asked).toBe(0);
    await pass(100);
    expect([asked, saved]).toEqual([1, []]);
    await pass(4000);
    await reads(toast, "Export ready 12,345 events");
    await reads(earlier, "12,345 987.7 KB Ready");
    expect([opened.api.received(exports.exportTenantAudit).length, asked, saved]).toEqual([1, 2, [file]]);
  });

  test("is waited for even if the list of earlier ones cannot be read, and a refusal to say how far it is is told", async () => {
    const pass = holdTime();
    const opened = await openExports((api) => {
      api.on(exports.tenantAuditExports, () => refusal(503));
      api.on(exports.exportTenantAudit, () => queued);
      api.on(exports.tenantAuditExport, () => refusal(404, { error: "There is no such export.", code: "not_found" }));
    });
    await opened.user.click(send(await openExport(opened)));
    await reads(toast, "Export started");
    await pass(2000);
    await reads(toast, "There is no such export.");
    await pass(60_000);
    expect(opened.api.received(exports.tenantAuditExport)).toHaveLength(1);
  });

  test("with more events than fit into a file says so, and that fewer days may fit", async () => {
    await openExports((arranged) =>
      arranged.on(exports.tenantAuditExports, () => [
        { ...queued, state: "failed" as const, tooLong: true, requestedByName: "Ana Auditor" },
      ]),
    );
    await reads(earlier, /Failed Too many events\. Choose fewer days/);
    expect(within(earlier()).queryByRole("button", { name: /^Download/ })).toBeNull();
  });

  test("of another person is shown and not asked about", async () => {
    const pass = holdTime();
    const { api } = await openExports((arranged) =>
      arranged.on(exports.tenantAuditExports, () => [{ ...queued, requestedBy: "01hzzzzzzzzzzzzzzzzzzzzzz8" }]),
    );
    await reads(earlier, /A former user .*Being written/);
    await pass(60_000);
    expect(api.received(exports.tenantAuditExport)).toEqual([]);
  });

  test("keeps no link to a file in the page's storage", async () => {
    const opened = await openExports(writesAtOnce);
    await opened.user.click(send(await openExport(opened)));
    await eventually(() => expect(saved).toEqual([file]));
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/X-Amz|files\.example/);
  });
});
