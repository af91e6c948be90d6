import { act, fireEvent, screen, within } from "@testing-library/react";
import {
  compliance,
  contactMessages,
  dashboard,
  exports,
  keptEvents,
  platformAudit,
  tenants,
  type AuditExport,
  type KeptEvent,
  type Route,
} from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { demo, demoUser, inDays, recordedAt, recordedDay } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi, type Handler } from "../../kit/screen/fake-api.ts";
import { asSystem, button, dialog, eventually, reads, region, reload, settled, textOf, toast } from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const address = "/admin?tab=audit";
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** What the log holds; the panel asks for ten events at a time. */
const events = demo("system_admin", platformAudit.platformAuditLogs);
const open = (before: (api: FakeApi) => void = () => {}) =>
  asSystem(address, {
    before: (api) => {
      api.on(platformAudit.platformAuditLogs, () => events.slice(0, 10));
      before(api);
    },
  });
const param = (name: string): string | null => new URLSearchParams(location.search).get(name);
const dialogs = (): HTMLElement[] => screen.queryAllByRole("dialog");
const itemsOf = (list: string): string[] =>
  within(screen.getByRole("list", { name: list }))
    .getAllByRole("listitem")
    .map(textOf);
/** Names and values of a panel's figures, in one line. */
const figuresOf = (panel: string): string => textOf(region(panel).querySelector("dl")!);

const timed = ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;
/** Time stands until it is told to go on. */
const stopTime = () => void vi.useFakeTimers({ toFake: [...timed], now: recordedAt });
const goOn = (milliseconds: number): Promise<void> => act(() => vi.advanceTimersByTimeAsync(milliseconds).then(() => undefined));

/** What a panel says as long as a route's answer is on its way. */
const textWhileLoading = async (route: Route, panel: string, expected: string): Promise<string> => {
  let release = () => {};
  const opening = open((api) => ({ release } = api.hold(route)));
  const said = () => textOf(within(region(panel)).getByRole("status"));
  await eventually(() => expect(said()).toBe(expected));
  const text = said();
  release();
  await opening;
  expect(textOf(region(panel))).not.toContain(expected);
  return text;
};
/** What a panel says when a route is not answered; asked again, it shows what it was asked for. */
const textOfFailure = async (route: Route, panel: string): Promise<string> => {
  const { user } = await open((api) => api.once(route, () => refusal(503, { error: "The database could not be reached." })));
  const alert = within(region(panel)).getByRole("alert");
  const text = textOf(alert);
  expect(text).toContain("The database could not be reached.");
  await user.click(button("Retry", alert));
  await eventually(() => expect(within(region(panel)).queryByRole("alert")).toBeNull());
  await settled();
  return text;
};
const provesStates = (ids: { loading: string; failed: string }, route: Route, panel: string): void => {
  proves(ids.loading, async ({ sees, quoted: [expected = ""] }) => {
    const text = await textWhileLoading(route, panel, expected);
    expect(text).toBe(expected);
    sees(text);
  });
  proves(ids.failed, async ({ sees, quoted: [expected = ""] }) => {
    const text = await textOfFailure(route, panel);
    expect(text).toContain(expected);
    sees(text);
  });
};

describe("audit logs", () => {
  const activity = { todayCount: 12, weekCount: 1234, securityEvents: 5, failedAttempts: 2 };

  proves("D2.2-060", async ({ sees, quoted: [name = ""] }) => {
    const { user } = await open();
    sees(textOf(button(name, region("Audit Logs"))));
    await user.click(button(name));
    await reads(dialog, /Start date/);
  });
  proves("D2.2-061", async ({ sees }) => {
    await open((api) =>
      api.on(platformAudit.auditDashboard, () => ({ ...activity, logs: demo("system_admin", platformAudit.auditDashboard).logs })),
    );
    expect(figuresOf("Audit Logs")).toBe("Today 12 This Week 1,234 Security Events 5 Failed Access 2");
    sees(figuresOf("Audit Logs"));
  });
  proves("D2.2-065", async ({ sees, quoted: [expected = ""] }) => {
    await open((api) => api.on(platformAudit.auditDashboard, () => ({ ...activity, logs: [] })));
    expect(textOf(region("Audit Logs"))).toContain(expected);
    sees(textOf(region("Audit Logs")));
  });
  provesStates({ loading: "D2.2-064", failed: "D2.8-010" }, platformAudit.auditDashboard, "Audit Logs");
});

describe("compliance metrics", () => {
  const definitions = { auditScore: "Of rows", dataIntegrity: "Of chains", accessControl: "Of access" };
  const checks = [
    { id: "a", name: "The archive was verified", ok: true, detail: "Last verified at 2026-05-01T15:00:00.000Z" },
    { id: "b", name: "Everyone has a second factor", ok: false, detail: "1 of 2" },
    { id: "c", name: "The chains are intact", ok: null, detail: "Not verified yet" },
  ];
  const openMeasured = () =>
    open((api) =>
      api.on(compliance.complianceMetrics, () => ({ auditScore: 99.95, dataIntegrity: null, accessControl: 100, definitions, checks })),
    );

  proves("D2.2-066", async ({ sees }) => {
    await openMeasured();
    const figures = figuresOf("Compliance Metrics");
    expect(figures).toBe("Audit Score 99.9% Of rows. Data Integrity N/A Of chains. Access Control 100.0% Of access.");
    sees(figures);
  });
  proves("D2.2-067", async () => {
    await openMeasured();
    expect(itemsOf("HIPAA checks")).toEqual([
      expect.stringMatching(/^The archive was verified Last verified at May 1, .* Passed$/),
      "Everyone has a second factor 1 of 2 Needs attention",
      "The chains are intact Not verified yet Not known yet",
    ]);
  });
  provesStates({ loading: "D2.2-068", failed: "D2.8-011" }, compliance.complianceMetrics, "Compliance Metrics");

  test("are the platform's own, with every check it makes", async () => {
    await open();
    const made = demo("system_admin", compliance.complianceMetrics).checks;
    expect(made.length).toBeGreaterThan(3);
    expect(itemsOf("HIPAA checks")).toEqual(made.map(({ name }) => expect.stringContaining(name)));
  });
});

describe("user activity", () => {
  proves("D2.2-069", async ({ sees }) => {
    await open();
    const { activeUsers, loginCount, failedLogins } = demo("system_admin", compliance.userActivity);
    const figures = figuresOf("User Activity");
    expect(figures).toBe(`Active Users ${activeUsers} Logins Today ${loginCount} Failed Logins ${failedLogins}`);
    sees(figures);
  });
  proves("D2.2-070", async () => {
    const { api } = await open();
    const { recentActions } = demo("system_admin", compliance.userActivity);
    const items = itemsOf("Recent actions");
    expect(items).toHaveLength(recentActions.length);
    expect(items.join(" ")).toMatch(/System Administrator .* A user signed in\./);
    expect(api.received(compliance.userActivity).map(({ query }) => query.limit)).toEqual([20]);
  });
  provesStates({ loading: "D2.2-071", failed: "D2.8-012" }, compliance.userActivity, "User Activity");
});

describe("all audit events", () => {
  const [clinic] = demo("system_admin", tenants.listTenants);
  const log = () => region("All Audit Events");
  const rows = (): string[] => [...log().querySelectorAll("tbody tr")].map(textOf);
  /** The log as its filters let it through. */
  const filters =
    (all = () => events) =>
    (api: FakeApi): void =>
      api.on(platformAudit.platformAuditLogs, ({ query: { tenantId, search = "", limit } }) =>
        all()
          .filter((event) => (tenantId === undefined || event.tenantId === tenantId) && JSON.stringify(event).includes(search))
          .slice(0, limit),
      );
  const search = () => within(log()).getByLabelText<HTMLInputElement>("Search");
  const searchFor = async (text: string): Promise<void> => {
    fireEvent.change(search(), { target: { value: text } });
    fireEvent.click(button("Apply Filters", log()));
    await settled();
  };
  const choose = async (organization: string): Promise<void> => {
    fireEvent.change(within(log()).getByLabelText("Organization"), { target: { value: organization } });
    await settled();
  };

  test("are searched by what is typed and by organization, which the address keeps", async () => {
    const { api } = await open(filters());
    const asked = () => api.received(platformAudit.platformAuditLogs).at(-1)?.query;
    const created = events.filter(({ action }) => action === "office.create");
    expect([...new Set(created.map(({ tenantId }) => tenantId))]).toHaveLength(2);
    await searchFor("office.create");
    await eventually(() => expect(rows()).toHaveLength(created.length));
    expect(asked()).toMatchObject({ search: "office.create", limit: 10 });
    fireEvent.click(button("Clear Filters", log()));
    await eventually(() => expect(rows()).toHaveLength(10));
    await choose(clinic!.id);
    const isOnlyOfClinic = () => expect(rows().filter((row) => !row.includes(clinic!.name))).toEqual([]);
    await eventually(isOnlyOfClinic);
    expect(asked()?.tenantId).toBe(clinic!.id);
    expect(param("organization")).toBe(clinic!.id);
    await reload();
    isOnlyOfClinic();
    expect(rows().length).toBeGreaterThan(5);
  });

  test("are of any days of one organization, and of the last 90 days of all", async () => {
    const { api } = await open(filters());
    const enter = (label: string, value: string) =>
      fireEvent.change(within(log()).getByLabelText(new RegExp(`^${label}`)), { target: { value } });
    enter("First day", "2021-02-01");
    enter("Last day", "2021-02-28");
    fireEvent.click(button("Apply Filters", log()));
    await reads(log, "The list of all organizations has the last 90 days. Choose an organization.");
    await choose(clinic!.id);
    enter("First day", "2021-02-01");
    enter("Last day", "2021-02-28");
    fireEvent.click(button("Apply Filters", log()));
    await settled();
    expect(api.received(platformAudit.platformAuditLogs).map(({ query }) => [query.tenantId, query.start, query.end])).toEqual([
      [undefined, undefined, undefined],
      [clinic!.id, undefined, undefined],
      [clinic!.id, "2021-02-01", "2021-02-28"],
    ]);
  });

  test("say who did it by name, and for a key whose it is, with the id below", async () => {
    const { user } = await open(filters());
    expect(rows()[0]).toMatch(/System Administrator [0-9a-z]{26}/);
    await searchFor(`API key of ${clinic!.name}`);
    await eventually(() => expect(rows()[0]).toMatch(new RegExp(`API key of ${clinic!.name} [0-9a-z]{26}`)));
    await user.click(within(log()).getAllByRole("button", { name: /details$/ })[0]!);
    await reads(dialog, new RegExp(`Actor API key of ${clinic!.name} Actor ID [0-9a-z]{26} Organization ${clinic!.name}`));
  });

  test("are those of now when an organization is chosen again", async () => {
    let all = events;
    await open(filters(() => all));
    await choose(clinic!.id);
    await eventually(() => expect(rows().join(" ")).not.toContain("The platform"));
    await choose("");
    await eventually(() => expect(rows().join(" ")).toContain("The platform"));
    expect(param("organization")).toBeNull();
    const opened = {
      ...events.find(({ tenantId }) => tenantId === clinic!.id)!,
      id: "01hzzzzzzzzzzzzzzzzzzzzzzz",
      act: "Opened meanwhile",
    };
    all = [opened, ...events];
    await choose(clinic!.id);
    await eventually(() => expect(rows()[0]).toContain("Opened meanwhile"));
  });

  test("open to all that is known of them, and lead to what else belongs to the same request", async () => {
    const { user } = await open(filters());
    const [first] = events;
    await user.click(within(log()).getAllByRole("button", { name: /details$/ })[0]!);
    await reads(dialog, new RegExp(`Organization The platform .* Request ID ${first!.requestId}`));
    await user.click(button("Show all of this request", dialog()));
    await eventually(() => expect(param("search")).toBe(first!.requestId));
    await eventually(() => expect(document.activeElement === search()).toBe(true));
    expect(dialogs()).toEqual([]);
    await eventually(() => expect(rows()).toHaveLength(1));
    await settled();
  });

  test("say what did not load, and load when asked again", async () => {
    expect(await textOfFailure(platformAudit.platformAuditLogs, "All Audit Events")).toContain("Failed to fetch audit logs");
  });
});

describe("the audit report", () => {
  const me = demoUser("system_admin");
  const exported = (change: Partial<AuditExport> = {}): AuditExport => ({
    ...{
      exportId: "01hzzzzzzzzzzzzzzzzzzzzzze",
      state: "ready",
      format: "csv",
      start: recordedDay("UTC", -22),
      end: recordedDay("UTC"),
      timeZone: "UTC",
    },
    ...{ tenantId: null, requestedBy: me.id, requestedAt: recordedAt.toISOString(), rows: 2100, bytes: 1_048_576 },
    ...{ expiresAt: inDays(7), url: "https://files.example/audit.csv", urlExpiresAt: inDays(0.01) },
    ...change,
  });
  const listed = ({ url: _url, urlExpiresAt: _at, ...rest }: AuditExport): AuditExport => rest;
  /** Reports as they are answered and then listed; what was handed to the browser to save. */
  const openReports = async (answer: Handler<typeof exports.exportAudit>, { before = () => {} }: { before?: () => void } = {}) => {
    const saved: string[] = [];
    let list: AuditExport[] = [];
    const opened = await open((api) => {
      before();
      vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
        saved.push(this.href);
      });
      api.on(exports.exportAudit, async (request) => {
        const asked = await answer(request);
        if ("exportId" in asked) list = [listed(asked)];
        return asked;
      });
      api.on(exports.auditExports, () => list);
    });
    fireEvent.click(button("Export Audit Report"));
    await reads(dialog, /Start date/);
    return { ...opened, saved, end: (ended: AuditExport) => (list = [listed(ended)]) };
  };
  const openDialog = () => openReports(() => exported());
  const field = (label: string): HTMLInputElement => within(dialog()).getByLabelText(label);
  const typeDate = (label: string, text: string): void => {
    fireEvent.input(field(label), { target: { value: text } });
    fireEvent.blur(field(label));
  };
  const send = (): void => void fireEvent.click(within(dialog()).getByRole("button", { name: /^Export(ing\.\.\.)?$/ }));

  /** The dialog as it opens; read once. */
  const readDialog = async () => {
    await openDialog();
    const formats = within(within(dialog()).getByLabelText("Format")).getAllByRole<HTMLOptionElement>("option");
    return {
      title: textOf(within(dialog()).getByRole("heading", { level: 2 })),
      days: [field("Start date").value, field("End date").value],
      formats: formats.map(({ value }) => value),
      text: textOf(dialog()).toLowerCase(),
    };
  };
  let read: ReturnType<typeof readDialog> | undefined;

  proves("D2.2-115", async ({ sees, quoted: [name = ""] }) => {
    const { title } = await (read ??= readDialog());
    expect(title).toBe(name);
    sees(title);
  });
  proves("D2.2-116", async () => {
    const { days, formats } = await (read ??= readDialog());
    const day = expect.stringMatching(/^[A-Z][a-z]{2} \d\d, 20\d\d$/);
    expect(days).toEqual([day, day]);
    expect(formats).toEqual(["csv", "pdf", "json"]);
  });
  proves("D2.2-117", async () => {
    const { text } = await (read ??= readDialog());
    for (const kind of ["logins and logouts", "patient data access", "fhir interactions", "voice conversations", "admin actions"])
      expect(text).toContain(kind);
    expect(text).toContain("security events");
  });
  proves("D2.2-118", async () => {
    const { user } = await openDialog();
    typeDate("Start date", "May 13, 2026");
    await user.click(button("Calendar for start date", dialog()));
    const view = () => within(dialog()).getByRole("grid");
    await eventually(() =>
      expect([...view().querySelectorAll("[data-part=table-header]")].map(textOf)).toEqual(["S", "M", "T", "W", "T", "F", "S"]),
    );
    // May 2026 begins on a Friday: in weeks from Sunday, five days of April stand before it.
    const [week] = view().querySelectorAll("tbody tr");
    expect(textOf(week!).split(" ").slice(-2)).toEqual(["1", "2"]);
    await user.click(within(view()).getByRole("button", { name: /May 3, 2026/ }));
    await eventually(() => expect(field("Start date").value).toBe("May 03, 2026"));
  });
  proves("D2.2-119", async ({ sees, quoted: [expected = ""] }) => {
    await openDialog();
    expect(field("End date").value).toMatch(/^[A-Z][a-z]{2} \d\d, \d{4}$/);
    typeDate("End date", "2026-05-04");
    await eventually(() => expect(field("End date").value).toBe("May 04, 2026"));
    expect(field("End date").placeholder).toBe(expected);
    sees(field("End date").placeholder);
  });
  proves("D2.4-015", async ({ sees, quoted: [busy = ""] }) => {
    const { api, saved } = await openReports(({ body }) => exported({ format: body.format }), { before: stopTime });
    send();
    await goOn(10);
    send();
    await goOn(1900);
    sees(textOf(button(busy, dialog())));
    await goOn(200);
    expect(dialogs()).toEqual([]);
    expect(api.received(exports.exportAudit).map(({ body }) => [body.format, body.start, body.end])).toEqual([
      ["csv", recordedDay(browserZone, -29), recordedDay(browserZone)],
    ]);
    expect(saved).toEqual(["https://files.example/audit.csv"]);
    await reads(() => region("Earlier exports"), /You .* CSV .* Ready/);
    expect(region("Earlier exports").querySelectorAll("tbody tr")).toHaveLength(1);
    await reads(toast, "Export ready");
  });
  test("of more than a year is a file for each year", async () => {
    const { api, saved } = await openReports(({ body }) => exported({ format: body.format }), { before: stopTime });
    typeDate("Start date", "2024-12-30");
    typeDate("End date", "2026-01-02");
    await reads(dialog, "3 files, one for each year");
    send();
    await goOn(2100);
    expect(api.received(exports.exportAudit).map(({ body }) => [body.start, body.end])).toEqual([
      ["2024-12-30", "2024-12-31"],
      ["2025-01-01", "2025-12-31"],
      ["2026-01-01", "2026-01-02"],
    ]);
    expect([dialogs(), saved.length]).toEqual([[], 3]);
  });
  proves("D2.9-005", async () => {
    const { api, saved } = await openReports(() => exported(), { before: stopTime });
    send();
    await goOn(10);
    expect(api.received(exports.exportAudit)).toHaveLength(1);
    await goOn(1980);
    expect(textOf(dialog())).toContain("Exporting...");
    expect(saved).toEqual([]);
    await goOn(20);
    expect(dialogs()).toEqual([]);
    expect(saved).toHaveLength(1);
  });

  test("that is a long one is told to be under way, and saved when it is ready", async () => {
    const format = "json";
    const { api, saved, end } = await openReports(({ body }) => listed(exported({ format: body.format, state: "queued", rows: null })), {
      before: stopTime,
    });
    const ended = exported({ format });
    api.on(exports.auditExport, () => ended);
    api.once(exports.auditExport, () => listed({ ...ended, state: "running" }));
    fireEvent.change(within(dialog()).getByLabelText("Format"), { target: { value: format } });
    send();
    await goOn(2100);
    await reads(toast, /Export started/);
    await reads(() => region("Earlier exports"), new RegExp(`${format.toUpperCase()} .* Being written|Waiting`));
    expect(saved).toEqual([]);
    end(ended);
    await goOn(7000);
    await reads(toast, /Export ready.*2,100 events\. The download has started\./);
    expect(saved).toEqual(["https://files.example/audit.csv"]);
    expect(api.received(exports.auditExport).map(({ params }) => params.exportId)).toEqual([ended.exportId, ended.exportId]);
    await reads(() => region("Earlier exports"), new RegExp(`${format.toUpperCase()} .* Ready`));
  });

  test("that is refused says why, keeps what was chosen, and asks before that is lost", async () => {
    const refusals = [
      refusal(503, { error: "The database could not be reached." }),
      refusal(400, { error: "A report covers at most one year." }),
    ];
    const { api } = await openReports(() => refusals.shift() ?? exported(), { before: stopTime });
    fireEvent.change(within(dialog()).getByLabelText("Format"), { target: { value: "pdf" } });
    typeDate("Start date", "Nov 30, 2023");
    for (const said of [/The database could not be reached/, /A report covers at most one year/]) {
      send();
      await goOn(2010);
      await reads(() => within(dialog()).queryByRole("alert"), said);
    }
    expect(within(dialog()).getByLabelText<HTMLSelectElement>("Format").value).toBe("pdf");
    expect(api.received(exports.exportAudit).map(({ body }) => [body.format, body.start])).toEqual([
      ["pdf", "2023-11-30"],
      ["pdf", "2023-11-30"],
    ]);
    fireEvent(dialog(), new Event("cancel", { cancelable: true }));
    await reads(() => screen.queryByRole("alertdialog"), /Discard changes\?/);
    fireEvent.click(button("Discard", screen.getByRole("alertdialog")));
    await eventually(() => expect(dialogs()).toEqual([]));
  });
});

describe("what waits for an administrator", () => {
  const [clinic] = demo("system_admin", tenants.listTenants);
  const kept: KeptEvent = {
    ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzz1", tenantId: clinic!.id, from: "vapi", reason: "not_found", at: "2026-05-01T15:00:00.000Z" },
    ...{ bytes: 1204, tries: 1, nextTryAt: null, replayable: true },
  };

  test("unprocessed events are counted beside their heading, and replayed once", async () => {
    const { user, api } = await open((one) => {
      one.on(keptEvents.listKeptEvents, () => [kept]);
      one.on(keptEvents.replayKeptEvent, () => ({ ...kept, tries: 2, replayable: false }));
    });
    const panel = () => region("Unprocessed Events");
    expect(textOf(panel())).toMatch(new RegExp(`^Unprocessed Events 1 waiting .* ${clinic!.name} Vapi Not found 1,204 1 `));
    await user.dblClick(button(/^Replay/, panel()));
    await reads(toast, /Replay started/);
    expect(api.received(keptEvents.replayKeptEvent).map(({ params }) => params)).toEqual([{ tenantId: clinic!.id, id: kept.id }]);
    await reads(panel, /Not possible/);
  });

  test("a change of the table has no button: the projection reads it once a version can", async () => {
    await open((one) => one.on(keptEvents.listKeptEvents, () => [{ ...kept, from: "project" as const, replayable: false }]));
    expect(textOf(region("Unprocessed Events"))).toMatch(/Automatically, once a version can read it/);
    expect(screen.queryByRole("button", { name: /^Replay/ })).toBeNull();
  });

  test("stands above the log", async () => {
    await open();
    const titles = screen.getAllByRole("heading", { level: 2 }).map(textOf);
    const order = ["Unprocessed Events", "Contact Messages", "Compliance Metrics", "All Audit Events"];
    expect(titles.filter((title) => order.includes(title))).toEqual(order);
  });

  test("contact messages are read only when a person asks to, and are text", async () => {
    const message = {
      ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzz2", at: recordedAt.toISOString(), firstName: "Vera", lastName: "Visitor" },
      ...{ email: "vera@example.com", phone: null, company: null, industry: "dental" as const, mailedAt: null },
      message: "Please <b>call</b> us.",
    };
    const { user, api } = await open((one) => {
      one.on(contactMessages.contactMessages, () => [message]);
      const metrics = demo("system_admin", dashboard.platformMetrics);
      one.on(dashboard.platformMetrics, () => ({ ...metrics, waiting: { keptEvents: 0, unmailedMessages: 1, openRequests: 0 } }));
    });
    const panel = () => region("Contact Messages");
    expect(textOf(panel())).toMatch(/^Contact Messages 1 not emailed/);
    expect(api.received(contactMessages.contactMessages)).toEqual([]);
    await user.click(button("Show messages"));
    await eventually(() => expect(within(panel()).getByText("Vera Visitor")).toBeTruthy());
    await user.click(within(panel()).getByText("Vera Visitor"));
    expect(textOf(panel())).toContain("Please <b>call</b> us.");
    expect(within(panel()).getByText("Vera Visitor").closest("details")?.open).toBe(true);
    expect(api.received(contactMessages.contactMessages).map(({ query }) => query.month)).toEqual([recordedDay("UTC").slice(0, 7)]);
  });
});
