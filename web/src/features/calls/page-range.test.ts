import { Range } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { callsAddress, type CountedCalls, nameOfDays, readPageRange } from "./page-range.ts";

const today = "2026-11-28";
const read = (query: string) => readPageRange(new URLSearchParams(query), today);

describe("the days of the page", () => {
  test("are so many with today as the last, and the lists' days are those of the figures", () => {
    const days = (query: string) => {
      const { days: shown } = read(query);
      return shown && [shown.from, shown.to];
    };
    expect([days("range=24hours"), days("range=7days"), days(""), days("range=90days"), days("range=all")]).toEqual([
      ["2026-11-27", today],
      ["2026-11-22", today],
      ["2026-10-30", today],
      ["2026-08-31", today],
      undefined,
    ]);
    expect(days("range=this-month")).toEqual(["2026-11-01", today]);
    expect(days("range=last-month")).toEqual(["2026-10-01", "2026-10-31"]);
  });

  test("that are chosen one by one stand above a range, to today at most a year", () => {
    expect(read("range=7days&from=2026-11-01&to=2026-11-10")).toMatchObject({
      value: "days",
      query: { from: "2026-11-01", to: "2026-11-10" },
      chart: { query: { from: "2026-11-01", to: "2026-11-10" } },
    });
    expect(read("from=2026-11-01").query).toEqual({ from: "2026-11-01", to: today });
    expect(read("from=2020-01-01").query).toEqual({ from: "2025-11-28", to: today });
  });

  test("that make no sense are the usual ones", () => {
    for (const query of ["range=forever", "from=2026-11-05&to=2026-11-01", "from=yesterday", "range=days"])
      expect([query, read(query).value]).toEqual([query, "30days"]);
  });

  test("of all time have charts of the last 90", () => {
    expect(Range.options.map((range) => read(`range=${range}`).chart.query)).toEqual(
      ["24hours", "7days", "30days", "90days", "90days"].map((range) => ({ range })),
    );
  });

  test("are named in words", () => {
    expect(nameOfDays({ from: "2026-11-01", to: "2026-11-28" })).toBe("Nov 1 to Nov 28, 2026");
    expect(nameOfDays({ from: "2025-12-30", to: "2026-01-02" })).toBe("Dec 30, 2025 to Jan 2, 2026");
    expect(nameOfDays({ from: today, to: today })).toBe("Nov 28, 2026");
  });
});

test("the address of counted calls keeps days and office, drops other filters, and leaves out test calls", () => {
  const search = new URLSearchParams("tab=analytics&office=x&range=7days&outcome=resolved&toolFailed=true&q=a");
  const open = (counted: CountedCalls) => {
    const { pathname, searchParams } = new URL(callsAddress(search, counted), "https://clinic.example");
    return { pathname, ...Object.fromEntries(searchParams) };
  };
  const common = { pathname: "/tenant/calls", office: "x", range: "7days", withoutTests: "true" };
  expect(open({ day: today, outcome: "abandoned" })).toEqual({ ...common, from: today, to: today, outcome: "abandoned" });
  expect(open({ tool: "sendSMS" })).toEqual({ ...common, tool: "sendSMS" });
  for (const counted of [{ failedTool: "sendSMS" }, { loggedReason: "billing" }, { result: "booked" }] as const)
    expect(open(counted)).toEqual({ ...common, ...counted });
});
