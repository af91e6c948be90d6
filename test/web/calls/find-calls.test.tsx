import { screen, within } from "@testing-library/react";
import {
  callViews,
  callWork,
  mayCall,
  tenantCalls,
  tenantDashboard,
  tenantVoiceAgents,
  type CallViews,
  type FoundCall,
} from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { callDetail, knowsCalls, listedCall, minutesAgo } from "../../kit/screen/calls.ts";
import { demo } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  dialogOpened,
  eventually,
  fill,
  hasFocus,
  isGone,
  labeled,
  reads,
  region,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const found = (number: number, excerpt: string | null): FoundCall => ({
  call: listedCall(callDetail(number, { createdAt: minutesAgo(number), numberEnding: "0101" })),
  excerpt,
});
const openCalls = (filters = "", before: (api: FakeApi) => void = () => {}, me: object = {}) =>
  asTenant(`/tenant?tab=analytics${filters}`, {
    me,
    before(api) {
      knowsCalls(() => [callDetail(7)])(api);
      api.on(tenantDashboard.charts, () => []);
      before(api);
    },
  });
const panel = (): HTMLElement => region("Recent Call Details");
const rows = (): HTMLElement[] => [...panel().querySelectorAll<HTMLElement>("tbody tr")];
const search = (): HTMLElement => screen.getByLabelText("Find a call", { selector: "search" });

const openSearch = async (before: (api: FakeApi) => void) => {
  const opened = await openCalls("", before);
  await opened.user.click(button("Find a call", panel()));
  await settled();
  return opened;
};

describe("a call", () => {
  test("that was found is replaced by the list as soon as a filter is chosen", async () => {
    const { user } = await openSearch((fake) =>
      fake.on(callWork.searchCalls, ({ body }) =>
        body.by === "number" ? { found: [found(1, null)], read: 1, total: null, next: null } : { found: [], read: 0, total: 3, next: null },
      ),
    );
    fill("Phone number", "(617) 555-0101", search());
    await user.click(button("Search by number", search()));
    await reads(panel, "1 call found, that is all");
    await user.click(button("Yesterday", panel()));
    await eventually(() => expect(textOf(panel())).not.toMatch(/1 call found|617/));
    expect(button("Yesterday", panel()).getAttribute("aria-pressed")).toBe("true");
  });

  test("is found by its number, which is in the request's body and in no address", async () => {
    const { api, user } = await openSearch((fake) =>
      fake.on(callWork.searchCalls, ({ body }) =>
        body.by === "number" ? { found: [found(1, null)], read: 1, total: null, next: null } : { found: [], read: 0, total: 3, next: null },
      ),
    );
    fill("Phone number", "12", search());
    await user.click(button("Search by number", search()));
    await reads(search, "Must be a phone number");
    fill("Phone number", "(617) 555-0101", search());
    await user.click(button("Search by number", search()));
    await reads(panel, "1 call found, that is all");
    await reads(panel, "Calls from (617) 555-0101, at any time.");
    expect(within(panel()).queryAllByRole("button", { pressed: true })).toEqual([]);
    expect(textOf(rows()[0] as HTMLElement)).toContain("Number ending in 0101");
    expect(api.received(callWork.searchCalls).map(({ body }) => body)).toContainEqual({ by: "number", number: "(617) 555-0101" });
    expect(`${location.href} ${api.log.join(" ")}`).not.toMatch(/555|0101/);
    await user.click(button("Back to the list", panel()));
    await eventually(() => expect(textOf(panel())).not.toContain("call found,"));
    expect(rows()).toHaveLength(1);
    await hasFocus(() => button("Any time", panel()));
    expect(api.received(tenantCalls.listCalls)).toHaveLength(1);
  });

  test("is found by words of its summary; the cost stands there before, and the search goes on page by page to the end", async () => {
    const { api, user } = await openSearch((fake) =>
      fake.on(callWork.searchCalls, ({ body }) => {
        if (body.by === "number" || body.onlyCount) return { found: [], read: 0, total: 60, next: null };
        if (body.cursor === undefined) return { found: [found(1, "Asked for a refill.")], read: 25, total: 60, next: "second" };
        if (body.cursor === "second") return { found: [], read: 25, total: null, next: "third" };
        return { found: [found(2, "A refill was sent on.")], read: 10, total: null, next: null };
      }),
    );
    await reads(search, "Reads about 60 calls. The search and each call found are recorded in the audit log.");
    fill("Words in the summary", "refill", search());
    await user.click(button("Search summaries", search()));
    await reads(panel, "2 calls found, 60 calls read, that is all");
    expect(rows().map((row) => textOf(row))).toEqual([
      expect.stringContaining("Asked for a refill."),
      expect.stringContaining("A refill was sent on."),
    ]);
    const searches = api.received(callWork.searchCalls).flatMap(({ body }) => (body.by === "summary" && !body.onlyCount ? [body] : []));
    expect(searches.map(({ text, cursor }) => [text, cursor])).toEqual([
      ["refill", undefined],
      ["refill", "second"],
      ["refill", "third"],
    ]);
    expect(`${location.href} ${api.log.join(" ")}`).not.toContain("refill");
  });

  test("that is searched for can be given up and searched for further, after a failure too", async () => {
    const { api, user } = await openSearch((fake) =>
      fake.on(callWork.searchCalls, ({ body }) => {
        if (body.by === "number" || body.onlyCount) return { found: [], read: 0, total: 60, next: null };
        if (body.cursor === undefined) return { found: [], read: 25, total: 60, next: "second" };
        if (api.received(callWork.searchCalls).filter((one) => one.body.cursor === "second").length === 1) return refusal(503);
        return { found: [found(2, "A refill.")], read: 35, total: null, next: null };
      }),
    );
    fill("Words in the summary", "refill", search());
    await user.click(button("Search summaries", search()));
    await reads(panel, /0 calls found, 25 of about 60 calls read.*Try again later/);
    const held = api.hold(callWork.searchCalls);
    await user.click(button("Keep searching", panel()));
    await user.click(button("Stop", panel()));
    held.release();
    await settled();
    expect(textOf(panel())).toContain("0 calls found, 25 of about 60 calls read");
    await user.click(button("Keep searching", panel()));
    await reads(panel, "1 call found, 60 calls read, that is all");
  });
});

describe("saved views", () => {
  const keeps = (kept: CallViews) => (api: FakeApi) => {
    api.on(callViews.readCallViews, () => kept);
    api.on(callViews.saveCallViews, ({ body }) => (kept = { views: body.views, version: kept.version + 1 }));
  };

  test("are made of the filters that hold, come from the server, and are chosen and deleted", async () => {
    const { api, user } = await openCalls("&status=failed&needsFollowUp=true", keeps({ views: [], version: 1 }));
    await user.click(button("Save this view", panel()));
    const dialog = await dialogOpened();
    await user.type(labeled("Name", dialog), "Failed{Enter}");
    await isGone("dialog");
    await reads(toast, "View saved");
    expect(api.received(callViews.saveCallViews).map(({ body, ifMatch }) => [body.views, ifMatch])).toEqual([
      [[{ name: "Failed", status: "failed", needsFollowUp: true }], 1],
    ]);
    const picker = () => labeled<HTMLSelectElement>("Saved views", panel());
    await eventually(() => expect(picker().value).toBe("Failed"));
    await user.click(button("Any time", panel()));
    await user.click(button("Needs follow-up", panel()));
    await eventually(() => expect(picker().value).toBe(""));
    await user.selectOptions(picker(), "Failed");
    await eventually(() => expect(new URLSearchParams(location.search).get("needsFollowUp")).toBe("true"));
    await settled();
    await user.click(button("Delete view", panel()));
    await eventually(() => expect(api.received(callViews.saveCallViews).at(-1)?.body.views).toEqual([]));
    await hasFocus(() => button("Save this view", panel()));
  });

  test("that were changed in another window are not overwritten, and the dialog says so", async () => {
    const { user } = await openCalls("&status=failed", (api) => {
      keeps({ views: [], version: 4 })(api);
      api.on(callViews.saveCallViews, () => refusal(409, { code: "stale_version" }));
    });
    await user.click(button("Save this view", panel()));
    await user.type(labeled("Name", await dialogOpened()), "Mine{Enter}");
    await eventually(() => expect(textOf(screen.getByRole("dialog"))).toContain("Your views were changed in another window"));
  });

  test("take no room where none is saved and no filter holds", async () => {
    await openCalls("", keeps({ views: [], version: 1 }));
    expect(textOf(panel())).not.toMatch(/Saved views|Save this view/);
  });
});

describe("the list of calls", () => {
  test("that a figure links to is of that figure, also if it was narrowed to a reason or an agent before", async () => {
    const { api, user } = await openCalls("&intent=billing&agent=agent-1", (fake) =>
      fake.on(tenantDashboard.tenantMetrics, () => ({
        ...demo("tenant_admin", tenantDashboard.tenantMetrics),
        ...{ totalCalls: 12, resolvedCalls: 12, forwardedCalls: 0, abandonedCalls: 0 },
      })),
    );
    await user.click(screen.getByRole("link", { name: "12 resolved" }));
    await eventually(() => {
      const asked = api.received(tenantCalls.listCalls).at(-1)?.query;
      expect([asked?.outcome, asked?.intent, asked?.agentId]).toEqual(["resolved", undefined, undefined]);
    });
    await settled();
  });

  test("asks nothing that the access of staff refuses when they open its filters", async () => {
    const { api, user } = await openCalls("", () => {}, { access: "staff" });
    await user.click(button("More filters", panel()));
    await settled();
    expect(mayCall("staff", "GET /api/tenant/voice-agents")).toBe(false);
    expect(api.received(tenantVoiceAgents.listOwnVoiceAgents)).toEqual([]);
  });

  test("does not export other calls in place of those that a search found", async () => {
    const { user } = await openSearch((api) =>
      api.on(callWork.searchCalls, ({ body }) =>
        body.by === "number" ? { found: [found(1, null)], read: 1, total: null, next: null } : { found: [], read: 0, total: 3, next: null },
      ),
    );
    expect(button("Export CSV", panel())).toBeTruthy();
    fill("Phone number", "(617) 555-0101", search());
    await user.click(button("Search by number", search()));
    await reads(panel, "Calls from (617) 555-0101, at any time.");
    expect(screen.queryByRole("button", { name: "Export CSV" })).toBeNull();
  });

  test("is of any time where a saved view has no period", async () => {
    const { api, user } = await openCalls("", (fake) =>
      fake.on(callViews.readCallViews, () => ({ views: [{ name: "Open", needsFollowUp: true as const }], version: 2 })),
    );
    await user.selectOptions(labeled<HTMLSelectElement>("Saved views", panel()), "Open");
    await settled();
    const asked = api.received(tenantCalls.listCalls).at(-1)?.query;
    expect([asked?.needsFollowUp, asked?.from]).toEqual([true, undefined]);
  });

  test("on the overview says of no more calls than were looked at that none needs follow-up", async () => {
    await asTenant("/tenant", {
      before(api) {
        api.on(tenantCalls.listCalls, () => page([], "older"));
        api.on(tenantDashboard.charts, () => []);
      },
    });
    await settled();
    expect(textOf(region("Needs follow-up"))).toContain("None of the latest 100 calls needs follow-up.");
  });
});
