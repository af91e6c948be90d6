import { CallStatus } from "@vitaline/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration } from "../../lib/format/times.ts";
import { asQuery, isNarrowed, noSearch, periods, readShown, withShown } from "./list/call-filter.ts";
import { countTools, formatCost, formatLatency, formatOffset, offsetIn, outcomeOf, speakerOf } from "./call-format.ts";
import { dayIn, daysAfter, endOfDay, startOfDay } from "./list/zone-day.ts";

describe("a zone's day", () => {
  const zones = ["UTC", "America/New_York", "America/Havana", "Asia/Kathmandu", "Asia/Beirut", "Pacific/Kiritimati", "Pacific/Pago_Pago"];
  const days = fc.date({ min: new Date("2020-01-02"), max: new Date("2030-01-01"), noInvalidDate: true });

  test("begins with the first instant that its calendars show as that day, and ends right before the next one begins", () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...zones), (date, zone) => {
        const day = date.toISOString().slice(0, 10);
        const [start, end] = [startOfDay(day, zone), endOfDay(day, zone)];
        expect([dayIn(zone, new Date(start)), dayIn(zone, new Date(end))]).toEqual([day, day]);
        expect(dayIn(zone, new Date(Date.parse(start) - 1))).toBe(daysAfter(day, -1));
        expect(dayIn(zone, new Date(Date.parse(end) + 1))).toBe(daysAfter(day, 1));
      }),
    );
  });

  test("has 23 hours where the clocks go forward, and need not begin at midnight", () => {
    const lasts = (day: string, zone: string) => (Date.parse(endOfDay(day, zone)) - Date.parse(startOfDay(day, zone)) + 1) / 3_600_000;
    expect([
      lasts("2026-03-08", "America/New_York"),
      lasts("2026-11-01", "America/New_York"),
      lasts("2026-11-02", "America/New_York"),
    ]).toEqual([23, 25, 24]);
    expect(startOfDay("2026-03-08", "America/Havana")).toBe("2026-03-08T05:00:00.000Z");
  });
});

describe("filters in the address", () => {
  const office = "0".repeat(26);
  const read = (text: string) => readShown(new URLSearchParams(text));

  test("are read as they were written, and leave the rest of the address alone", () => {
    const shown = {
      from: "2026-11-01",
      to: "2026-11-22",
      status: "failed",
      outcome: "transferred",
      q: "a b&c",
      office,
      needsFollowUp: true,
    } as const;
    const written = withShown(new URLSearchParams("tab=analytics&range=7days"), shown);
    expect(readShown(written)).toEqual(shown);
    expect(isNarrowed(shown)).toBe(true);
    const cleared = withShown(written, { ...noSearch, needsFollowUp: false, office: "" });
    expect(cleared.toString()).toBe("tab=analytics&range=7days");
  });

  test("that make no sense count as any", () => {
    expect(read("status=bogus&outcome=won&from=yesterday&to=2026-13-40&office=..&needsFollowUp=1&q=")).toEqual({
      ...noSearch,
      office: "",
      needsFollowUp: false,
    });
    expect(read("from=2026-11-22&to=2026-11-01")).toMatchObject({ from: "2026-11-22", to: "" });
    expect(isNarrowed(read(`office=${office}`))).toBe(false);
  });

  test("name days of the tenant's zone, and ask for nothing that they do not name", () => {
    expect(asQuery(read("from=2026-11-21&to=2026-11-22"), "America/New_York")).toEqual({
      from: "2026-11-21T05:00:00.000Z",
      to: "2026-11-23T04:59:59.999Z",
    });
    expect(Object.values(asQuery(read(""), "UTC")).filter((value) => value !== undefined)).toEqual([]);
    expect(asQuery(read("needsFollowUp=true&q=ab"), "UTC")).toMatchObject({ needsFollowUp: "true", q: "ab" });
  });

  test("offer stretches that include today", () => {
    expect(periods("2026-03-01").map(({ from }) => from)).toEqual(["", "2026-03-01", "2026-02-23", "2026-01-31"]);
  });
});

describe("a call in words", () => {
  test("lasted minutes and seconds, or nobody has said how long", () => {
    expect([null, 0, 59.6, 272].map(formatDuration)).toEqual(["N/A", "0m 0s", "1m 0s", "4m 32s"]);
  });

  test("is resolved or else transferred, once it is over", () => {
    for (const status of CallStatus.options) expect(outcomeOf({ resolved: true, status }).name).toBe("Resolved");
    expect(CallStatus.options.filter((status) => outcomeOf({ resolved: false, status }).name !== "Transferred")).toEqual([
      "queued",
      "ringing",
      "in_progress",
    ]);
  });

  test("used tools", () => {
    expect([0, 1, 2].map(countTools)).toEqual(["None", "1 tool", "2 tools"]);
  });

  test("names who speaks", () => {
    expect(["caller", "assistant", "staff", "bot_two"].map(speakerOf)).toEqual(["Caller", "Agent", "Staff", "Bot two"]);
  });

  test("counts from its start, unless a clock disagrees", () => {
    expect([0, 59.9, 65, 3723].map(formatOffset)).toEqual(["0:00", "0:59", "1:05", "1:02:03"]);
    const call = { createdAt: "2026-11-22T10:00:00Z", endedAt: "2026-11-22T10:05:00Z" };
    expect(offsetIn(call, "2026-11-22T10:01:00Z")).toBe(60);
    expect([offsetIn(call, "2026-11-22T09:59:59Z"), offsetIn(call, "2026-11-22T10:05:01Z")]).toEqual([undefined, undefined]);
  });

  test("costs what was said, in the currency that was said", () => {
    expect(formatCost({ amount: 0.1234, currency: "USD" })).toBe("$0.1234");
    expect(formatCost({ amount: 2, currency: "EUR" })).toBe("€2.00");
    expect(formatCost({ amount: 2.5, currency: null })).toBe("2.5");
    expect(formatCost({ amount: 2.5, currency: "<b>" })).toBe("2.5");
  });

  test("says how fast the agent replied, as far as it was measured", () => {
    expect(formatLatency({ p50Ms: 640, p95Ms: 1200.4 })).toBe("640 ms median, 1,200 ms at the 95th percentile");
    expect(formatLatency({ p50Ms: null, p95Ms: 900 })).toBe("900 ms at the 95th percentile");
  });
});
