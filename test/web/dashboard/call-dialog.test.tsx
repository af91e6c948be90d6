import { fireEvent, screen, within } from "@testing-library/react";
import { tenantCalls, tenantDashboard, type CallDetail } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { badCall, callDetail, callId, knowsCalls, listedCall, minutesAgo } from "../../kit/screen/calls.ts";
import { demo, demoUser, recordedAt } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
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
  settled,
  showTab,
  textOf,
} from "../../kit/screen/visit.tsx";

/** The tab with these calls, and one of them open where the address says so. */
const openCalls = (calls: () => readonly CallDetail[], address = "", before: (api: FakeApi) => void = () => {}) =>
  asTenant(`/tenant?tab=analytics${address}`, {
    before(api) {
      knowsCalls(calls)(api);
      api.on(tenantDashboard.charts, () => []);
      before(api);
    },
  });
const panel = (): HTMLElement => region("Recent Call Details");
const rows = (): HTMLElement[] => [...panel().querySelectorAll<HTMLElement>("tbody tr")];
const part = (name: string): HTMLElement => within(dialog()).getByRole("region", { name });
const place = (): URLSearchParams => new URLSearchParams(location.search);
const down = () => refusal(503, { error: "The database could not be reached." });

describe("a call", () => {
  test("opens from its row, shows all that is known, and gives the focus back", async () => {
    const { api, user } = await openCalls(() => [callDetail(2), badCall(1)]);
    const viewLink = () => link(/^View the call of/, rows()[1]);
    await user.click(viewLink());
    await dialogOpened();
    expect(place().get("call")).toBe(callId(1));
    const text = textOf(dialog());
    for (const expected of [
      /Needs follow-up/,
      /The caller asked for a refill, and the line broke before it was sent on\./,
      /Agent · 0:01 Thank you for calling/,
      /Caller · 0:04 I need my <b>refill<\/b>, please\./,
      /Staff · 1:01 /,
      /No tool ran in this call/,
    ])
      expect(text).toMatch(expected);
    const facts = {
      "Ended because": "Assistant error",
      "Transferred to a person": "No",
      "Caller's number": "+1 415 555 0134",
      "Caller's mood": "Negative",
      "Agent's reply time": "640 ms median, 1,210 ms at the 95th percentile",
      Cost: "$0.1234",
    };
    for (const [term, description] of Object.entries(facts)) expect([term, described(term, part("Facts"))]).toEqual([term, description]);
    expect([...part("Facts").querySelectorAll("dd")].map(textOf)).not.toContain("");
    expect(described("Wants callback", part("Analysis by the platform"))).toBe("Yes");
    expect(dialog().querySelector("b")).toBeNull();
    await user.keyboard("{Escape}");
    await isGone("dialog");
    await eventually(() => expect(place().get("call")).toBeNull());
    await hasFocus(viewLink);
    expect(api.received(tenantCalls.readCall)).toHaveLength(1);
  });

  test("C06: whose texts were removed under the retention policy says so, and since when, in place of them", async () => {
    const removed = { summary: null, transcript: null, analysis: null, callerNumber: null, textsRemovedAt: minutesAgo(60) };
    await openCalls(() => [{ ...badCall(1), ...removed }], `&call=${callId(1)}`);
    await dialogOpened();
    expect(textOf(part("Summary"))).toMatch(/What was said in this call was removed on .+ under the retention policy\./);
    expect(within(dialog()).queryByRole("region", { name: "Conversation" })).toBeNull();
    expect(textOf(dialog())).not.toContain("The voice platform sent no");
    expect(described("Ended because", part("Facts"))).toBe("Assistant error");
  });

  test("is read again each time it is opened, by its address and by Forward too, and nothing of it is kept", async () => {
    const { api, user } = await openCalls(() => [badCall(1)], `&call=${callId(1)}`);
    await dialogOpened();
    expect(textOf(dialog())).toContain("The caller asked for a refill");
    await user.click(button("Close", dialog()));
    await isGone("dialog");
    expect(place().get("call")).toBeNull();
    await user.click(link(/^View the call of/, rows()[0]));
    await dialogOpened();
    history.back();
    await isGone("dialog");
    history.forward();
    await dialogOpened();
    expect(textOf(dialog())).toContain("The caller asked for a refill");
    expect(api.received(tenantCalls.readCall).map(({ params }) => params.callId)).toEqual([callId(1), callId(1), callId(1)]);
  });

  test("shows what a caller or a platform has written as plain text", async () => {
    const hostile = [
      "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>",
      "[click](javascript:document.title='taken') ![x](https://evil.example/x.png) **bold**",
      "\u202egnirts\u202c \u05e9\u05dc\u05d5\u05dd a\u200bb\u200dc\ufeffd",
      "W".repeat(5000),
    ].join("\n");
    const name = "<b>Caller</b>".padEnd(100, "W");
    const call = badCall(1, {
      ...{ summary: hostile, agentName: name, endedReason: name, callerNumber: "<i>+1</i>", sentiment: name },
      ...{ analysis: { [name]: hostile, callerName: name }, transcript: { messages: [{ role: "caller", text: hostile, atSeconds: 1 }] } },
    });
    await openCalls(() => [call], `&call=${call.id}`);
    await dialogOpened();
    expect(part("Summary").textContent).toContain(hostile);
    expect(part("Conversation").textContent).toContain(hostile);
    expect(described("Caller's number", part("Facts"))).toBe("<i>+1</i>");
    expect(textOf(part("Facts"))).toContain("<b>Caller</b>W");
    expect(dialog().querySelectorAll("b, i, img, script, strong, a[href^=javascript]")).toHaveLength(0);
    expect(document.title).not.toContain("taken");
  });

  test("shows which tools ran, when and how it went", async () => {
    const recorded = demo("tenant_admin", tenantCalls.listCalls)
      .slice(0, 2)
      .map(({ id }) => demo("tenant_admin", tenantCalls.readCall, { callId: id }))
      .find(({ toolRuns }) => toolRuns.length > 1) as CallDetail;
    const [first, ...others] = recorded.toolRuns;
    const call = { ...recorded, toolRuns: [first!, { ...others[0]!, status: "failed" as const, code: "not_verified" }] };
    const { user } = await openCalls(() => [call]);
    await user.click(within(panel()).getByText("2 tools"));
    expect(textOf(rows()[0]!)).toContain("verifyPatientIdentity");
    await user.click(link(/^View/, rows()[0]));
    await dialogOpened();
    const runs = within(part("Tools"))
      .getAllByRole("listitem")
      .map((run) => textOf(run));
    expect(runs).toHaveLength(2);
    expect(runs[0]).toMatch(/^Verify patient identity verifyPatientIdentity Success (at \d+:\d\d|.* [AP]M) · [\d,]+ ms Request ID: \S+$/);
    expect(runs[1]).toMatch(/^.+ \w+ Failed .* · not_verified Request ID: \S+$/);
    expect(textOf(part("Conversation"))).toMatch(/AI: .* User: /);
  });

  test("shows a tool that was asked for in an emergency as neither failed nor succeeded", async () => {
    const recorded = demo("tenant_admin", tenantCalls.listCalls)
      .slice(0, 2)
      .map(({ id }) => demo("tenant_admin", tenantCalls.readCall, { callId: id }))
      .find(({ toolRuns }) => toolRuns.length > 1) as CallDetail;
    const [first, ...others] = recorded.toolRuns;
    await openCalls(
      () => [{ ...recorded, toolRuns: [first!, { ...others[0]!, status: "emergency", code: null }] }],
      `&call=${recorded.id}`,
    );
    await dialogOpened();
    const [, told] = within(part("Tools")).getAllByRole("listitem");
    expect(textOf(told!)).toMatch(/^.+ \w+ Emergency /);
    expect(textOf(told!)).not.toMatch(/Failed|Success/);
  });

  test("that the organization does not have is not found, and what is no call's id is not asked for", async () => {
    const { user } = await openCalls(() => [], `&call=${callId(9)}`);
    await dialogOpened();
    expect(textOf(within(dialog()).getByRole("alert"))).toContain("Failed to load the call");
    await user.keyboard("{Escape}");
    await isGone("dialog");
    const { api } = await openCalls(() => [], "&call=..");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(api.received(tenantCalls.readCall)).toEqual([]);
  });

  test("that does not load says so, and is asked for again on Retry", async () => {
    const call = callDetail(1, { summary: "Asked for the opening hours." });
    const { user } = await openCalls(
      () => [call],
      `&call=${call.id}`,
      (api) => api.once(tenantCalls.readCall, down),
    );
    await dialogOpened();
    expect(textOf(dialog())).toMatch(/Failed to load the call.*0123456789abcdef/);
    await user.click(button("Retry", dialog()));
    await reads(dialog, "Asked for the opening hours.");
    expect(textOf(dialog())).not.toMatch(/follow-?up/i);
  });

  test("of many turns shows the first 200, and all on request", async () => {
    const messages = Array.from({ length: 450 }, (_, at) => ({
      role: at % 2 ? "caller" : "assistant",
      text: `Turn ${at + 1}.`,
      atSeconds: at,
    }));
    const call = callDetail(1, { transcript: { messages } });
    const { user } = await openCalls(() => [call], `&call=${call.id}`);
    await dialogOpened();
    const turns = () => part("Conversation").querySelectorAll("li");
    expect(turns()).toHaveLength(200);
    await user.click(button("Show all 450 turns"));
    expect(turns()).toHaveLength(450);
    expect(document.activeElement).toBe(turns()[200]);
    expect(textOf(turns()[200] as HTMLElement)).toContain("Turn 201.");
  });
});

describe("a follow-up", () => {
  /** A call that needs one, whose follow-up the API keeps; open. */
  const openBadCall = async () => {
    const state = { call: badCall(1) };
    const mark = (body: { done: boolean; note?: string | undefined }): CallDetail => {
      const doneBy = demoUser("tenant_admin").id;
      state.call = {
        ...state.call,
        version: state.call.version + 1,
        needsFollowUp: !body.done,
        followUp: body.done ? { doneAt: recordedAt.toISOString(), doneBy, note: body.note ?? null } : null,
      };
      return state.call;
    };
    const opened = await openCalls(
      () => [state.call, callDetail(2, { createdAt: minutesAgo(60) })],
      "&needsFollowUp=true",
      (api) =>
        api.on(tenantCalls.followUpCall, ({ body, ifMatch }) =>
          ifMatch === state.call.version
            ? listedCall(mark(body))
            : refusal(409, { error: "It was changed meanwhile.", code: "stale_version" }),
        ),
    );
    await opened.user.click(link(/^View/, rows()[0]));
    await dialogOpened();
    expect(textOf(dialog())).toContain("Needs follow-up");
    const sent = () => opened.api.received(tenantCalls.followUpCall).map(({ params, body, ifMatch }) => ({ ...params, ...body, ifMatch }));
    return { ...opened, mark, sent };
  };
  const noteField = (): HTMLInputElement => labeled("Note", dialog());
  const typeNote = (text: string): boolean => fireEvent.input(noteField(), { target: { value: text } });
  const done = (): HTMLElement => button("Mark as followed up", dialog());

  test("is marked once with a note, shows in the table, and is taken back", async () => {
    const { api, user, sent } = await openBadCall();
    typeNote("Called back, all well.");
    await user.dblClick(done());
    await reads(dialog, /Followed up .* by you .*Called back, all well\./);
    expect(sent()).toEqual([{ callId: callId(1), done: true, note: "Called back, all well.", ifMatch: 1 }]);
    await hasFocus(() => within(dialog()).getByRole("heading", { name: "Followed up" }));
    await user.click(button("Reopen", dialog()));
    await reads(dialog, "Needs follow-up");
    expect(sent().at(-1)).toEqual({ callId: callId(1), done: false, ifMatch: 2 });
    await eventually(() => expect(noteField().value).toBe("Called back, all well."));
    await user.click(done());
    await reads(dialog, /Followed up .* by you .*Called back, all well\./);
    await user.keyboard("{Escape}");
    await isGone("dialog");
    expect(textOf(rows()[0]!)).not.toContain("Needs follow-up");
    await showTab(user, "Overview");
    await showTab(user, "Analytics");
    await settled();
    expect(textOf(panel())).not.toMatch(/Transferred Needs follow-up/);

    await user.click(link(/^View/, rows()[0]));
    await dialogOpened();
    await user.click(button("Reopen", dialog()));
    await reads(dialog, "Needs follow-up");
    await user.click(done());
    await reads(dialog, /Followed up/);
    await user.keyboard("{Escape}");
    await isGone("dialog");
    await showTab(user, "Overview");
    await eventually(() => expect(api.received(tenantDashboard.recentCalls)).toHaveLength(2));
  });

  test("that was changed meanwhile is shown as it stands, and the note stays", async () => {
    const { user, mark, sent } = await openBadCall();
    mark({ done: true, note: "Mine was first" });
    typeNote("Second thoughts");
    await user.click(done());
    await reads(dialog, "Another user has changed this call in the meantime");
    await reads(dialog, "Mine was first");
    expect(noteField().value).toBe("Second thoughts");
    await user.click(done());
    await reads(dialog, /Followed up .*Second thoughts/);
    expect(sent().map(({ ifMatch }) => ifMatch)).toEqual([1, 2]);
    await eventually(() => expect(screen.queryByRole("alert")).toBeNull());
  });

  test("that could not be saved keeps the note, which is not closed away by mistake", async () => {
    const { api, user, sent } = await openBadCall();
    api.once(tenantCalls.followUpCall, down);
    typeNote("Left a message");
    await user.click(done());
    await reads(dialog, "could not be reached");
    await user.keyboard("{Escape}");
    await reads(() => screen.queryByRole("alertdialog"), "Discard changes?");
    await user.click(button("Keep editing"));
    expect(noteField().value).toBe("Left a message");
    await user.click(done());
    await reads(dialog, /Followed up .*Left a message/);
    expect(sent().map(({ note }) => note)).toEqual(["Left a message", "Left a message"]);
  });

  test("whose note was begun can be discarded, which leads back to the table", async () => {
    const { user, sent } = await openBadCall();
    typeNote("Begun");
    await user.keyboard("{Escape}");
    await reads(() => screen.queryByRole("alertdialog"), "Discard changes?");
    await user.click(button("Discard"));
    await isGone("dialog");
    await eventually(() => expect(place().get("call")).toBeNull());
    expect(sent()).toEqual([]);
  });
});
