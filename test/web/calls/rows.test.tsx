import { screen, within } from "@testing-library/react";
import { callWork, tenantCalls, tenantDashboard, tenantOffices, type CallDetail } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { badCall, callDetail, callId, knowsCalls, listedCall, minutesAgo } from "../../kit/screen/calls.ts";
import { demo } from "../../kit/screen/demo-answers.ts";
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
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const [office] = demo("tenant_admin", tenantOffices.officeCards);
const calls: CallDetail[] = [
  badCall(1, { createdAt: minutesAgo(30), officeId: office?.id ?? null, results: ["refill_requested"] }),
  badCall(2, { createdAt: minutesAgo(45), intent: null, numberEnding: null, agentName: null, status: "no_answer" }),
  callDetail(3, {
    toolFailed: true,
    createdAt: minutesAgo(60),
    intent: "appointment",
    results: ["booked"],
    toolsUsed: ["scheduleAppointment"],
  }),
];
const openCalls = () =>
  asTenant("/tenant?tab=analytics", {
    before(api) {
      knowsCalls(() => calls)(api);
      api.on(tenantDashboard.charts, () => []);
    },
  });
const panel = (): HTMLElement => region("Recent Call Details");
const rows = (): HTMLElement[] => [...panel().querySelectorAll<HTMLElement>("tbody tr")];
const lines = (): string[] => rows().map((row) => textOf(row.querySelector("td:last-child") as HTMLElement));
const opened = (): string | null => new URLSearchParams(location.search).get("call");

describe("the second line of a call", () => {
  test("tells the reason, the end of the number, what came of it, the agent and the office", async () => {
    await openCalls();
    expect(lines()).toEqual([
      `Prescription Number ending in 0134 Refill requested Front desk ${office?.name}`,
      "Unknown reason Not answered",
      "Appointment A tool failed Appointment booked",
    ]);
    expect(rows()[0]?.textContent).toContain("••• 0134");
    expect(panel().textContent).not.toContain("+1415");
    const titles = within(panel()).getAllByRole("columnheader");
    expect(rows().map((row) => within(row).getAllByRole("cell").length)).toEqual(rows().map(() => titles.length));
  });
});

test("calls with failed tools alone are shown at a press, and the address keeps that", async () => {
  const { user } = await openCalls();
  await user.click(button("Failed tools", panel()));
  await eventually(() => expect(rows()).toHaveLength(1));
  expect(button("Failed tools", panel()).getAttribute("aria-pressed")).toBe("true");
  expect(new URLSearchParams(location.search).get("toolFailed")).toBe("true");
  expect(lines()[0]).toContain("A tool failed");
});

describe("the calls that a figure counts", () => {
  const tested = callDetail(4, { isTest: true, toolsUsed: ["scheduleAppointment"], results: ["booked"] });
  const opens = async (filters: string, known = [...calls, tested]) => {
    const opened = await asTenant(`/tenant/calls?range=all&withoutTests=true${filters}`, { before: knowsCalls(() => known) });
    return { ...opened, removable: (name: string) => button(`${name}: remove this filter`, panel()) };
  };
  const filters = (): Record<string, string> => Object.fromEntries(new URLSearchParams(location.search));

  test.each([
    ["&tool=scheduleAppointment", "Tool used: Schedule appointments"],
    ["&result=booked", "Appointment booked"],
    ["&loggedReason=appointment", "Logged reason: Appointment"],
  ])("are listed alone with %s, which says so and can be removed", async (address, name) => {
    const { user, removable } = await opens(address);
    expect(lines()).toEqual(["Appointment A tool failed Appointment booked"]);
    expect(textOf(panel())).toContain("The count in Analytics can be higher");
    await user.click(removable(name));
    await eventually(() => expect(rows()).toHaveLength(3));
    expect(filters()).toEqual({ range: "all", withoutTests: "true" });
    expect(textOf(panel())).not.toContain("The count in Analytics");
    await hasFocus(() => button("Any time", panel()));
  });

  test("have a failed tool, and test calls among them at a press", async () => {
    const run = {
      id: "01m8h217g03bgc13cqm9pp2f7x",
      createdAt: minutesAgo(29),
      code: "ehr_timeout",
      ms: 16,
      requestId: "r",
      callId: callId(5),
    };
    const failed = { ...run, toolName: "sendSMS", status: "failed" as const };
    const { user, removable } = await opens("&failedTool=sendSMS", [
      ...calls,
      callDetail(5, { toolRuns: [failed] }),
      callDetail(6, { toolRuns: [failed], isTest: true }),
    ]);
    expect(rows()).toHaveLength(1);
    expect(removable("Failed tool: Send a text message")).toBeTruthy();
    await user.click(button("Without test calls", panel()));
    await eventually(() => expect(rows()).toHaveLength(2));
    expect(filters()).toEqual({ range: "all", failedTool: "sendSMS" });
    await user.click(button("Without test calls", panel()));
    await eventually(() => expect(rows()).toHaveLength(1));
    expect(button("Without test calls", panel()).getAttribute("aria-pressed")).toBe("true");
  });
});

describe("a row", () => {
  test("opens wherever it is pressed, except on its own controls and at the end of a selection", async () => {
    const { user } = await openCalls();
    const [first] = rows() as [HTMLElement];
    await user.click(within(panel()).getByText("1 tool"));
    await user.click(screen.getAllByRole("checkbox", { name: /for follow-up/ })[0]!);
    expect(opened()).toBeNull();
    const text = within(first).getByText("Refill requested");
    getSelection()?.selectAllChildren(text);
    await user.pointer({ keys: "[MouseLeft>]", target: text, offset: 0 });
    await user.pointer([{ target: text, offset: 6 }, { keys: "[/MouseLeft]" }]);
    expect([String(getSelection()), opened()]).toEqual(["Refill", null]);
    getSelection()?.removeAllRanges();
    await user.keyboard("{Control>}");
    await user.click(text);
    await user.keyboard("{/Control}");
    expect(opened()).toBeNull();
    await user.click(text);
    await dialogOpened();
    expect(opened()).toBe(callId(1));
    await user.keyboard("{Escape}");
    await isGone("dialog");
    expect(opened()).toBeNull();
  });

  test("opens by Enter, and the arrow keys go from row to row and stop at the ends", async () => {
    const { user } = await openCalls();
    within(rows()[0] as HTMLElement)
      .getByRole("link", { name: /^View/ })
      .focus();
    await user.keyboard("{ArrowDown}");
    await hasFocus(() => rows()[1] as HTMLElement);
    await user.keyboard("{ArrowDown}{ArrowDown}");
    await hasFocus(() => rows()[2] as HTMLElement);
    await user.keyboard("{ArrowUp}");
    await hasFocus(() => rows()[1] as HTMLElement);
    await user.keyboard("{Enter}");
    await reads(await dialogOpened(), "the line broke before it was sent on");
    expect(opened()).toBe(callId(2));
  });
});

describe("several calls", () => {
  const select = (number: number) => within(rows()[number] as HTMLElement).getByRole("checkbox");

  test("are marked as followed up together, with one note, and leave the selection", async () => {
    const { api, user } = await openCalls();
    expect(within(rows()[2] as HTMLElement).queryByRole("checkbox")).toBeNull();
    await user.click(button("Select 2 that need follow-up", panel()));
    const bar = (): HTMLElement => within(panel()).getByRole("form", { name: "Follow up the selected calls" });
    await reads(bar, "2 calls selected");
    fill("Note", "Called both back", bar());
    api.on(callWork.followUpCalls, ({ body }) =>
      body.calls.map(({ id, version }) => {
        const call = calls.find((one) => one.id === id);
        return { id, code: null, call: call ? { ...listedCall(call), needsFollowUp: false, version: version + 1 } : null };
      }),
    );
    await user.click(button("Mark as followed up", bar()));
    await reads(toast, "2 calls marked as followed up");
    expect(api.received(callWork.followUpCalls).map(({ body }) => body)).toEqual([
      { calls: [1, 2].map((number) => ({ id: callId(number), version: 1 })), note: "Called both back" },
    ]);
    await eventually(() => expect(screen.queryAllByRole("checkbox", { name: /for follow-up/ })).toEqual([]));
    expect(textOf(panel())).not.toContain("selected");
    await hasFocus(() => button("Any time", panel()));
    expect(api.received(tenantCalls.listCalls)).toHaveLength(1);
  });

  test("that a colleague has changed meanwhile are told, and the list is read again", async () => {
    const { api, user } = await openCalls();
    await user.click(select(0));
    await user.click(select(1));
    await user.click(select(1));
    await reads(panel, "1 call selected");
    api.on(callWork.followUpCalls, ({ body }) => body.calls.map(({ id }) => ({ id, call: null, code: "stale_version" })));
    await user.click(button("Mark as followed up", panel()));
    await reads(toast, /0 of 1 call marked as followed up.*changed in the meantime/);
    await eventually(() => expect(api.received(tenantCalls.listCalls)).toHaveLength(2));
    expect(labeled<HTMLInputElement>(/Select the call of/, rows()[0]).checked).toBe(false);
  });
});
