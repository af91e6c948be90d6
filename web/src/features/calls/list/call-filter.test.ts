import { describe, expect, test } from "vitest";
import { CallView } from "@vitaline/contract";
import {
  toQuery,
  hasFilters,
  fromSavedFilter,
  noFilters,
  periodOptions,
  readCallFilter,
  toSavedFilter,
  writeCallFilter,
} from "./call-filter.ts";

describe("filters in the URL", () => {
  const office = "0".repeat(26);
  const read = (text: string) => readCallFilter(new URLSearchParams(text));

  test("survive a round trip and keep the other parameters", () => {
    const shown = {
      from: "2026-11-01",
      to: "2026-11-22",
      status: "failed",
      outcome: "transferred",
      intent: "billing",
      loggedReason: "person",
      result: "booked",
      tool: "sendSMS",
      failedTool: "sendEmail",
      agent: "agent-7",
      q: "a b&c",
      office,
      needsFollowUp: true,
      toolFailed: true,
      withoutTests: true,
    } as const;
    const written = writeCallFilter(new URLSearchParams("tab=analytics&range=7days"), shown);
    expect(readCallFilter(written)).toEqual(shown);
    expect(hasFilters(shown)).toBe(true);
    const cleared = writeCallFilter(written, { ...noFilters, office: "" });
    expect(cleared.toString()).toBe("tab=analytics&range=7days");
  });

  test("count as any if they are invalid", () => {
    const counted = "loggedReason=x&result=won&tool=a%20b&failedTool=.&withoutTests=no";
    expect(read(`status=bogus&outcome=won&intent=gossip&from=yesterday&to=2026-13-40&office=..&needsFollowUp=1&q=&${counted}`)).toEqual({
      ...noFilters,
      office: "",
    });
    expect(read("from=2026-11-22&to=2026-11-01")).toMatchObject({ from: "2026-11-22", to: "" });
    expect(hasFilters(read(`office=${office}`))).toBe(false);
  });

  test("convert days of the tenant's time zone and leave out unset filters", () => {
    expect(toQuery(read("from=2026-11-21&to=2026-11-22"), "America/New_York")).toEqual({
      from: "2026-11-21T05:00:00.000Z",
      to: "2026-11-23T04:59:59.999Z",
    });
    expect(Object.values(toQuery(read(""), "UTC")).filter((value) => value !== undefined)).toEqual([]);
    expect(toQuery(read("needsFollowUp=true&q=ab"), "UTC")).toMatchObject({ needsFollowUp: "true", q: "ab" });
    const counted = "loggedReason=billing&result=booked&tool=sendSMS&failedTool=sendEmail";
    expect(toQuery(read(`${counted}&withoutTests=true`), "UTC")).toMatchObject({
      ...{ loggedReason: "billing", result: "booked", tool: "sendSMS", failedTool: "sendEmail", isTest: "false" },
    });
  });

  test("are saved and read back; a period of a button moves with the day, chosen days stay", () => {
    const counted = "loggedReason=person&result=booked&tool=sendSMS&failedTool=sendEmail&withoutTests=true";
    const all = read(
      `from=2026-11-16&status=failed&outcome=abandoned&intent=billing&agent=a&office=${office}&needsFollowUp=true&toolFailed=true&q=x&${counted}`,
    );
    const saved = toSavedFilter(all, "2026-11-22");
    expect(saved).toEqual({
      ...{ lastDays: 7, status: "failed", outcome: "abandoned", intent: "billing", agentId: "a", officeId: office },
      ...{ needsFollowUp: true, toolFailed: true, withoutTests: true, q: "x" },
      ...{ loggedReason: "person", result: "booked", tool: "sendSMS", failedTool: "sendEmail" },
    });
    expect(CallView.safeParse({ name: "Mine", ...saved }).success).toBe(true);
    expect(fromSavedFilter(saved, "2026-11-22")).toEqual(all);
    expect(fromSavedFilter(saved, "2026-12-01").from).toBe("2026-11-25");
    const yesterday = toSavedFilter(read("from=2026-11-21&to=2026-11-21"), "2026-11-22");
    expect(yesterday).toEqual({ yesterday: true });
    expect(CallView.safeParse({ name: "Yesterday", ...yesterday }).success).toBe(true);
    expect(fromSavedFilter(yesterday, "2026-12-01")).toEqual(read("from=2026-11-30&to=2026-11-30"));
    const days = read("from=2026-11-01&to=2026-11-05");
    expect(fromSavedFilter(toSavedFilter(days, "2026-11-22"), "2026-12-01")).toEqual(days);
    expect(toSavedFilter(read(""), "2026-11-22")).toEqual({});
  });

  test("offer yesterday, and periods that include today", () => {
    expect(periodOptions("2026-03-01").map(({ from, to }) => [from, to])).toEqual([
      ["", ""],
      ["2026-03-01", ""],
      ["2026-02-28", "2026-02-28"],
      ["2026-02-23", ""],
      ["2026-01-31", ""],
    ]);
  });
});
