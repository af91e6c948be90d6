import { expect, test } from "vitest";
import {
  formatCount,
  formatHours,
  formatMilliseconds,
  formatPercent,
  formatSuccessRate,
  formatUses,
  formatHoursExactly,
} from "./numbers.ts";
import { formatCallMinutes, timeZoneOptions } from "./times.ts";
import { formatName } from "./labels.ts";
import { formatPhone, phoneLink } from "./phone.ts";

test("a success rate has one decimal, and is 0% while there are no calls", () => {
  expect(formatSuccessRate(0, 0)).toBe("0%");
  expect(formatSuccessRate(2, 3)).toBe("66.7%");
  expect(formatSuccessRate(3, 3)).toBe("100.0%");
  expect(formatPercent(88.4501)).toBe("88.5%");
  expect([4999 / 50, 1 / 50, 0, 100].map(formatPercent)).toEqual(["99.9%", "0.1%", "0.0%", "100.0%"]);
});

test("hours show the savings of a short call", () => {
  expect([0, 0.004, 0.04, 1.234, 66.237, 1234.5].map(formatHours)).toEqual(["0h", "<0.01h", "0.04h", "1.23h", "66.2h", "1,234.5h"]);
});

test("hours are told in the unit that says it best", () => {
  expect([0, 0.07, 1 / 60, 0.999, 1, 1.52, 1234.56].map(formatHoursExactly)).toEqual([
    ...["0 minutes", "4 minutes", "1 minute", "1 hour", "1 hour", "1.5 hours", "1,234.6 hours"],
  ]);
});

test("counts read as words do", () => {
  expect([1, 0, 1204].map(formatUses)).toEqual(["1 use", "0 uses", "1,204 uses"]);
  expect(formatCount(1342)).toBe("1,342");
});

test("a call's length is in minutes, or the word Call while it is unknown", () => {
  expect([null, 0, 1, 29, 30, 89, 90, 272].map(formatCallMinutes)).toEqual(["Call", "Call", "<1m", "<1m", "1m", "1m", "2m", "5m"]);
});

test("milliseconds are whole", () => {
  expect([0, 640.4, 1210].map(formatMilliseconds)).toEqual(["0 ms", "640 ms", "1,210 ms"]);
});

test("names of machines read as words", () => {
  expect(["fhirProviderId", "not_found", "overlapSeconds", "ms", "HIPAA", ""].map(formatName)).toEqual([
    ...["FHIR provider ID", "Not found", "Overlap seconds", "Ms", "HIPAA", ""],
  ]);
  expect(["customer-ended-call", "customerEndedCall", "no_answer", "Call it a day"].map(formatName)).toEqual([
    ...["Customer ended call", "Customer ended call", "No answer", "Call it a day"],
  ]);
});

test("a number of North America is grouped, and any other form stays as it was given", () => {
  for (const number of ["+12015550127", "12015550127"])
    expect([formatPhone(number), phoneLink(number)]).toEqual(["+1 201 555 0127", "tel:+12015550127"]);
  for (const number of ["617 555 0134", "+442079460958", "+1201555", ""]) expect(formatPhone(number)).toBe(number);
});

test("time zones are offered by what people call them, with their place, the US ones and the current one first", () => {
  const labels = timeZoneOptions("America/Indiana/Knox").map(({ label }) => label);
  expect(labels.slice(0, 5)).toEqual([
    ...["Eastern Time (New York)", "Central Time (Chicago)", "Mountain Time (Denver)", "Pacific Time (Los Angeles)"],
    "Central Time (Knox, Indiana)",
  ]);
  const values = timeZoneOptions("UTC").map(({ value }) => value);
  expect([values[4], new Set(values).size]).toEqual(["UTC", values.length]);
});
