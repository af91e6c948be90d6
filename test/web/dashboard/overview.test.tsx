import { screen, within } from "@testing-library/react";
import {
  tenantCalls,
  tenantDashboard,
  tenantFhirProviders,
  tenantHealth,
  tenantOffices,
  type ListedCall,
  type ResponseOf,
  type TenantNotice,
  type ToolRun,
  type ToolUsage,
  type Usage,
} from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { callId, minutesAgo } from "../../kit/screen/calls.ts";
import { demo } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  dialogOpened,
  eventually,
  hasFocus,
  link,
  reads,
  region,
  settled,
  showTab,
  tab,
  textOf,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

type CallInProgress = ResponseOf<typeof tenantCalls.callsInProgress>[number];

const [recorded] = demo("tenant_admin", tenantCalls.listCalls) as [ListedCall];
const listed = (number: number, more: Partial<ListedCall> = {}): ListedCall => ({ ...recorded, id: callId(number), ...more });
const inProgress = (number: number, more: Partial<CallInProgress> = {}): CallInProgress => ({
  id: callId(number),
  platform: "vapi",
  createdAt: minutesAgo(number),
  status: "in_progress",
  officeId: null,
  agentId: null,
  direction: "inbound",
  ...more,
});

const openOverview = (before: (api: FakeApi) => void = () => {}, address = "/tenant") =>
  asTenant(address, {
    before(api) {
      api.on(tenantCalls.listCalls, () => []);
      // Of the analytics, where links lead: drawing takes long.
      api.on(tenantDashboard.charts, () => []);
      before(api);
    },
  });
const place = (): string => `${location.pathname}${location.search}`;
const items = (list: string): HTMLElement[] => within(screen.getByRole("list", { name: list })).getAllByRole("listitem");
const checklist = (): HTMLElement | null => screen.queryByRole("region", { name: "Get started" });
const refresh = async ({ user }: { user: { click(element: Element): Promise<void> } }): Promise<void> => {
  await user.click(button("Refresh"));
  await eventually(() => expect(button("Refresh")).toBeTruthy());
  await settled();
};

/** What a style sheet says about an element, class by class. */
const stylesOf = (element: Element): string => {
  const sheets = [...document.querySelectorAll("style")].map(({ textContent }) => textContent).join("\n");
  return [...element.classList].flatMap((name) => [...sheets.matchAll(new RegExp(`\\.${name}\\{[^}]*\\}`, "g"))].join("")).join("\n");
};

/** What an organization has done so far: nothing, unless changed. */
type Begun = {
  offices: boolean;
  providers: boolean;
  toolRuns: ToolRun[];
  calls: ListedCall[];
  totalCalls: number;
  successfulCalls: number;
};
const nothing: Begun = { offices: false, providers: false, toolRuns: [], calls: [], totalCalls: 0, successfulCalls: 0 };
const begins = (now: () => Begun) => (api: FakeApi) => {
  api.on(tenantOffices.officeCards, () => (now().offices ? demo("tenant_admin", tenantOffices.officeCards) : []));
  api.on(tenantFhirProviders.listTenantFhirProviders, () =>
    now().providers ? demo("tenant_admin", tenantFhirProviders.listTenantFhirProviders) : [],
  );
  api.on(tenantCalls.listToolCalls, () => now().toolRuns);
  api.on(tenantDashboard.recentCalls, () => now().calls);
  api.on(tenantDashboard.tenantMetrics, ({ query: { range } }) => {
    const { totalCalls, successfulCalls } = now();
    return { ...demo("tenant_admin", tenantDashboard.tenantMetrics), totalCalls, successfulCalls, range };
  });
};

describe("the checklist", () => {
  const done = (): string[] =>
    items("Steps to your first call")
      .filter((step) => textOf(step).endsWith("Done"))
      .map((step) => step.querySelector("p")?.textContent ?? "");

  test("counts each step once it has really happened, and goes when all of them have", async () => {
    let now = nothing;
    const opened = await openOverview(begins(() => now));
    expect(textOf(region("Get started"))).toContain("0 of 6 steps done");
    expect(done()).toEqual([]);
    now = { ...now, offices: true };
    await refresh(opened);
    expect(done()).toEqual(["Add an office"]);
    now = { ...now, providers: true };
    await refresh(opened);
    expect(done()).toEqual(["Add an office", "Connect your record system"]);
    now = { ...now, calls: [listed(1, { status: "in_progress", duration: null })] };
    await refresh(opened);
    expect(textOf(region("Get started"))).toContain("4 of 6 steps done");
    expect(done()).not.toContain("Make a test call");
    now = { ...now, calls: [listed(1)], totalCalls: 1, successfulCalls: 1 };
    await refresh(opened);
    expect(textOf(region("Get started"))).toContain("5 of 6 steps done");
    expect(link("Go to your account", region("Get started")).getAttribute("href")).toBe("/account");
    await asTenant("/tenant", { me: { hasTotp: true }, before: begins(() => now) });
    expect(checklist()).toBeNull();
  });

  test("knows that the API key was copied on its tab", async () => {
    const { user } = await openOverview(
      begins(() => nothing),
      "/tenant?tab=api-keys",
    );
    vi.spyOn(navigator.clipboard, "write").mockResolvedValue();
    await user.click(button("Copy API key"));
    await showTab(user, "Overview");
    await reads(region("Get started"), "1 of 6 steps done");
    expect(textOf(items("Steps to your first call")[0] as HTMLElement)).toMatch(/Copy your API key.*Done/);
  });

  test("leads to where each step is done, with the focus on that tab", async () => {
    const { user } = await openOverview(
      begins(() => nothing),
      "/tenant-dashboard",
    );
    for (const [name, address, label] of [
      ["Go to API Keys", "?tab=api-keys", "API Keys"],
      ["Go to Offices", "?tab=offices", "Offices"],
      ["Go to FHIR", "?tab=fhir", "FHIR"],
    ] as const) {
      await user.click(link(name));
      expect(place()).toBe(`/tenant-dashboard${address}`);
      await eventually(() => expect(tab(label).getAttribute("aria-selected")).toBe("true"));
      await hasFocus(() => tab(label));
      await settled();
      await showTab(user, "Overview");
    }
  });

  test("stays dismissed for the person and organization that dismissed it, and asks for nothing then; others keep theirs", async () => {
    const fresh = (api: FakeApi) => {
      api.on(tenantCalls.listCalls, () => []);
      begins(() => nothing)(api);
    };
    const { user, me } = await asTenant("/tenant", { before: fresh });
    await user.click(button("Dismiss"));
    expect(checklist()).toBeNull();
    expect(screen.getByRole("tabpanel", { name: "Overview" }).contains(document.activeElement)).toBe(true);
    await asTenant("/tenant", { before: fresh, me: { tenantId: "01m83bhp8m68dhac6etbkm9faz" } });
    expect(checklist()).not.toBeNull();
    await asTenant("/tenant", { before: fresh, me: { id: "01m83bhkd40ac6v2r6z8xmpmt9" } });
    expect(checklist()).not.toBeNull();
    const { api, me: again } = await asTenant("/tenant", { before: fresh });
    expect(again?.id).toBe(me?.id);
    expect(checklist()).toBeNull();
    expect(api.received(tenantCalls.listToolCalls)).toEqual([]);
    expect(api.received(tenantDashboard.tenantMetrics).map(({ query }) => query.range)).toEqual(["30days"]);
  });
});

describe("U03: what keeps voice agents from working", () => {
  const none = { runs: null, failedRuns: null };
  const notices: TenantNotice[] = [
    { ...none, kind: "no_record_system", names: [] },
    { ...none, kind: "no_record_system", names: ["Uptown", "Downtown"] },
    { ...none, kind: "record_system_fails", names: ["Our EHR"] },
    { ...none, kind: "voice_platform_fails", names: ["Our Vapi"] },
    { ...none, kind: "key_refused", names: ["Our Retell AI"] },
    { kind: "tools_fail", names: ["getPatientInfo"], runs: 10, failedRuns: 6 },
  ];
  const attention = () => screen.queryByRole("region", { name: "Needs attention" });

  test("stands above everything on every tab, with the way to mend it, and nothing stands there while all is well", async () => {
    const opened = await openOverview();
    expect(attention()).toBeNull();
    opened.api.on(tenantHealth.tenantNotices, () => notices);
    await refresh(opened);
    const said = textOf(attention()!);
    for (const words of [
      "No record system: calls fail No active record system is assigned.",
      "No active record system is assigned to Uptown and Downtown.",
      "The record system Our EHR does not work",
      "The voice platform Our Vapi does not work",
      "Our Retell AI refuses the key",
      "6 of 10 tool runs failed yesterday and today: Get patient information (getPatientInfo).",
    ])
      expect(said).toContain(words);
    const ofTools = within(attention()!).getByRole("link", { name: "See these calls" });
    expect(ofTools.getAttribute("href")).toBe("/tenant/calls?range=24hours&toolFailed=true&withoutTests=true");
    const [first] = within(attention()!).getAllByRole("link", { name: "See record systems" });
    await opened.user.click(first!);
    expect(place()).toBe("/tenant?tab=fhir");
    expect(attention()).not.toBeNull();
    await settled();
  });

  test("leads staff to no page that refuses them, and says whom to ask", async () => {
    await asTenant("/tenant", { me: { access: "staff" }, before: (api) => api.on(tenantHealth.tenantNotices, () => notices.slice(0, 3)) });
    expect(textOf(attention()!)).toContain("Ask an administrator of your organization.");
    const links = within(attention()!).getAllByRole("link");
    expect(links.map((one) => textOf(one))).toEqual(["See system health"]);
  });
});

describe("calls in progress", () => {
  test("are those of the moment when the page asked, and of a refresh", async () => {
    let calls: CallInProgress[] = [];
    const opened = await openOverview((api) => api.on(tenantCalls.callsInProgress, () => calls));
    expect(textOf(region("In progress"))).toContain("No calls in progress.");
    calls = [1, 2, 3, 4, 5, 6, 7].map((number) => inProgress(number));
    await refresh(opened);
    expect(items("Calls in progress")).toHaveLength(3);
    expect(textOf(region("In progress"))).toContain("and 4 more");
    expect(textOf(items("Calls in progress")[0] as HTMLElement)).toMatch(/^Vapi, incoming since .+ [AP]M In progress$/);
    calls = [inProgress(7)];
    await refresh(opened);
    expect(items("Calls in progress")).toHaveLength(1);
    expect(textOf(region("In progress"))).not.toContain("more");
  });

  test("name the office that answers", async () => {
    const [office] = demo("tenant_admin", tenantOffices.officeCards);
    await openOverview((api) =>
      api.on(tenantCalls.callsInProgress, () => [
        inProgress(1, { platform: "elevenlabs", status: "ringing", officeId: office?.id ?? "", direction: "outbound" }),
      ]),
    );
    const [only, ...others] = items("Calls in progress");
    expect(textOf(only as HTMLElement)).toMatch(new RegExp(`^ElevenLabs, outgoing ${office?.name}, since .+ Ringing$`));
    expect(others).toEqual([]);
  });
});

test("callers who should be called back are counted, and a link leads to their calls", async () => {
  let waiting: ListedCall[] = [];
  const opened = await openOverview((api) => api.on(tenantCalls.listCalls, ({ query }) => (query.needsFollowUp ? waiting : [])));
  expect(textOf(region("Needs follow-up"))).toContain("None of the latest 100 calls needs follow-up.");
  waiting = [listed(1, { needsFollowUp: true })];
  await refresh(opened);
  expect(textOf(region("Needs follow-up"))).toMatch(/1 call /);
  waiting = [listed(2, { needsFollowUp: true }), ...waiting];
  await refresh(opened);
  expect(textOf(region("Needs follow-up"))).toMatch(/2 calls /);
  await opened.user.click(link("Review these calls"));
  expect(place()).toBe("/tenant/calls?range=all&needsFollowUp=true");
  await settled();
});

test("the month's minutes are shown without a plan, within it and beyond it, with the price of what is over", async () => {
  let usage: Usage = { ...demo("tenant_admin", tenantDashboard.usage), minutes: 30 };
  const opened = await openOverview((api) => api.on(tenantDashboard.usage, () => usage));
  expect(textOf(region("Plan usage"))).toMatch(/30 minutes No plan is set/);
  usage = { ...usage, planName: "Light", bundledMinutes: 1800, overageMinutes: 0, overageCharge: 0 };
  await refresh(opened);
  expect(textOf(region("Plan usage"))).toMatch(/30 of 1,800 minutes Plan: Light$/);
  usage = { ...usage, bundledMinutes: 10, overageMinutes: 20, overageCharge: 3.6 };
  await refresh(opened);
  expect(textOf(region("Plan usage"))).toMatch(/Plan: Light 20 minutes over the plan: \$3\.60 at \$0\.18 a minute\.$/);
  expect(screen.getByRole("progressbar", { name: "Minutes used" }).getAttribute("aria-valuenow")).toBe("100");
});

test("the overview of ten thousand calls makes the same requests as that of ten, each once", async () => {
  const requestsWith = async (count: number): Promise<string[]> => {
    const { api } = await openOverview((fake) => {
      const all = (limit = 100) => Array.from({ length: Math.min(count, limit) }, (_, index) => listed(index, { needsFollowUp: true }));
      fake.on(tenantDashboard.tenantMetrics, ({ query: { range } }) => ({
        ...demo("tenant_admin", tenantDashboard.tenantMetrics),
        ...{ totalCalls: count, range },
      }));
      fake.on(tenantDashboard.recentCalls, ({ query: { limit = 5 } }) =>
        page(
          Array.from({ length: limit ?? 20 }, (_, index) => listed(index)),
          "more",
        ),
      );
      fake.on(tenantCalls.listCalls, ({ query: { limit } }) => page(all(limit), "more"));
      fake.on(tenantCalls.callsInProgress, () => Array.from({ length: Math.min(count, 100) }, (_, index) => inProgress(index)));
    });
    expect(items("Recent calls")).toHaveLength(5);
    return api.log.toSorted();
  };
  const [few, many] = [await requestsWith(10), await requestsWith(10_000)];
  expect(few.length).toBeGreaterThan(5);
  expect(many).toEqual(few);
  // The metrics are asked for twice: of 30 days, and of all time for the checklist.
  expect(new Set(few).size).toBe(few.length - 1);
});

proves("D1.7-027", async () => {
  const down = () => refusal(503, { error: "The database could not be reached." });
  const reading: [what: string, fails: (api: FakeApi) => void][] = [
    [
      "call metrics",
      (api) =>
        api.on(tenantDashboard.tenantMetrics, ({ query: { range } }) =>
          range === "30days" ? down() : { ...demo("tenant_admin", tenantDashboard.tenantMetrics), range },
        ),
    ],
    ["recent calls", (api) => api.on(tenantDashboard.recentCalls, down)],
    ["tool usage", (api) => api.on(tenantDashboard.toolUsage, down)],
    ["calls that need follow-up", (api) => api.on(tenantCalls.listCalls, down)],
    ["calls in progress", (api) => api.on(tenantCalls.callsInProgress, down)],
    ["plan usage", (api) => api.on(tenantDashboard.usage, down)],
    ["what is set up already", (api) => api.on(tenantCalls.listToolCalls, down)],
  ];
  const alerts = () => screen.queryAllByRole("alert").map((alert) => textOf(alert));
  for (const [what, fails] of reading) {
    const { api, user } = await openOverview(fails);
    const failure = screen.getAllByRole("alert").find((alert) => textOf(alert).includes(`Failed to load ${what}`));
    expect(textOf(failure as HTMLElement)).toMatch(/The database could not be reached\. Request ID: 0123456789abcdef/);
    // The checklist reads the recent calls, too.
    expect(alerts().filter((text) => !text.includes(what) && !text.includes("what is set up already"))).toEqual([]);
    api.on(tenantDashboard.tenantMetrics, ({ query: { range } }) => ({ ...demo("tenant_admin", tenantDashboard.tenantMetrics), range }));
    api.on(tenantDashboard.recentCalls, () => demo("tenant_admin", tenantDashboard.recentCalls));
    api.on(tenantDashboard.toolUsage, () => demo("tenant_admin", tenantDashboard.toolUsage));
    api.on(tenantCalls.listCalls, () => []);
    api.on(tenantCalls.callsInProgress, () => []);
    api.on(tenantDashboard.usage, () => demo("tenant_admin", tenantDashboard.usage));
    api.on(tenantCalls.listToolCalls, () => demo("tenant_admin", tenantCalls.listToolCalls));
    await user.click(button("Retry", failure));
    await eventually(() => expect(alerts().filter((text) => text.includes(`Failed to load ${what}`))).toEqual([]));
    await settled();
  }
  expect(reading).toHaveLength(7);
});

describe("recent calls", () => {
  const ordinary = (number: number, more: Partial<ListedCall>) => listed(number, { needsFollowUp: false, ...more });
  const calls = [
    ordinary(6, { createdAt: minutesAgo(1), status: "in_progress", duration: null, resolved: false, endedReason: null }),
    ordinary(5, { createdAt: minutesAgo(20), status: "no_answer", duration: 200, needsFollowUp: true }),
    ordinary(4, { createdAt: minutesAgo(30), duration: 240 }),
    ordinary(3, { createdAt: minutesAgo(40), duration: 180 }),
    ordinary(2, { createdAt: minutesAgo(50), duration: 120 }),
    ordinary(1, { createdAt: minutesAgo(60), duration: 60 }),
  ];
  const openCalls = () =>
    openOverview((api) => {
      api.on(tenantDashboard.recentCalls, () => calls);
    });
  const colorOf = (item: HTMLElement): string | undefined =>
    /background:var\(--\w+-colors-(\w+)-/.exec(stylesOf(item.querySelector("[aria-hidden]") as Element))?.[1];

  for (const id of ["D1.2-068", "D1.2-069", "D1.2-070", "D1.2-071", "D1.2-072", "D1.4-008"])
    proves(id, async ({ sees }) => {
      await openCalls();
      const shown = items("Recent calls");
      expect(shown.map((item) => item.querySelector("time")?.dateTime)).toEqual(calls.slice(0, 5).map(({ createdAt }) => createdAt));
      expect(shown.map(colorOf)).toEqual(["red", "red", "green", "green", "green"]);
      const texts = shown.map((item) => textOf(item));
      expect(texts[0]).toMatch(/^Call [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M .*Live In progress$/);
      expect(texts[1]).toMatch(/^3m [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M .*Needs follow-up No answer$/);
      expect(texts.slice(2).map((text) => /^(\d+m) [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M .*Completed$/.exec(text)?.[1])).toEqual([
        "4m",
        "3m",
        "2m",
      ]);
      // The badge begins with a capital.
      sees(texts.map((text) => `${text}\n${text.toLowerCase()}`).join("\n"));
    });

  test("are told apart by reason, the end of the number, what came of them, the agent and the office", async () => {
    const [office] = demo("tenant_admin", tenantOffices.officeCards);
    await openOverview((api) =>
      api.on(tenantDashboard.recentCalls, () => [
        listed(1, {
          ...{ intent: "prescription", numberEnding: "0134", results: ["refill_requested"], agentName: "Front desk" },
          officeId: office?.id ?? null,
          toolFailed: undefined,
        }),
        listed(2, { intent: null, numberEnding: null, results: [], agentName: null, officeId: null, status: "no_answer", isTest: true }),
      ]),
    );
    const [first, second] = items("Recent calls").map((item) => textOf(item));
    expect(first).toContain(`Prescription Number ending in 0134 Refill requested Front desk ${office?.name}`);
    expect(second).toMatch(/Test Unknown reason .*No answer$/);
    expect(second?.match(/Test/g)).toHaveLength(1);
  });

  test("lead to the call, and to all calls", async () => {
    const [opened] = demo("tenant_admin", tenantDashboard.recentCalls) as [ListedCall];
    const { user } = await openOverview((api) => api.on(tenantDashboard.recentCalls, () => [{ ...opened, duration: 240 }]));
    await user.click(link(/^4m, .*: open this call$/, region("Recent Calls")));
    expect(place()).toBe(`/tenant/calls?call=${opened.id}`);
    expect(textOf(await dialogOpened())).toContain("Call details");
    const { user: again } = await openOverview();
    await again.click(link("All calls", region("Recent Calls")));
    expect(place()).toBe("/tenant/calls?range=all");
    await settled();
  });
});

describe("top tools", () => {
  const usage: ToolUsage[] = [
    { toolName: "sendSMS", count: 1, successRate: null },
    { toolName: "getPatientInfo", count: 7, successRate: 80 },
    { toolName: "verifyPatientIdentity", count: 30, successRate: 80.1 },
    { toolName: "scheduleAppointment", count: 20, successRate: 33.333 },
    { toolName: "verifyInsurance", count: 9, successRate: null },
    { toolName: "sendEmail", count: 4, successRate: 0 },
  ];
  const openTools = () =>
    openOverview((api) => {
      api.on(tenantDashboard.toolUsage, () => usage);
      api.on(tenantDashboard.recentCalls, () => Array.from({ length: 7 }, (_, index) => listed(index)));
    });

  for (const id of ["D1.2-073", "D1.2-074", "D1.9-018"])
    proves(id, async ({ sees }) => {
      await openTools();
      const texts = items("Top tools").map((item) => textOf(item));
      expect(texts).toEqual([
        "Verify patient identity verifyPatientIdentity 30 uses 80.1%",
        "Schedule appointments scheduleAppointment 20 uses 33.3%",
        "Verify insurance verifyInsurance 9 uses N/A",
        "Get patient information getPatientInfo 7 uses 80.0%",
        "Send an email sendEmail 4 uses 0.0%",
      ]);
      expect(textOf(region("Recent Calls"))).toContain("The 5 most recent calls");
      expect(items("Recent calls")).toHaveLength(5);
      sees(texts);
    });
  proves("D1.9-013", async () => {
    await openTools();
    const styleOf = (name: string): string => {
      const item = items("Top tools").find((one) => textOf(one).includes(` ${name} `)) as HTMLElement;
      return stylesOf(within(item).getByTitle("Success rate"));
    };
    const plain = styleOf("getPatientInfo");
    expect(plain).toMatch(/box-shadow:inset/);
    expect(plain).not.toContain("background:");
    expect(styleOf("verifyPatientIdentity")).toMatch(/background:var\(--\w+-colors-color-palette-subtle\)/);
    for (const name of ["scheduleAppointment", "verifyInsurance", "sendEmail"]) expect([name, styleOf(name)]).toEqual([name, plain]);
  });
});
