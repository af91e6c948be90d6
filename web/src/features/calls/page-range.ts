import { type CallResult, type ChartRange, type Days, type FilteredOutcome, Range, type RoutingReason } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { rangeNames } from "../../lib/format/labels.ts";
import { useZone } from "../../lib/format/times.ts";
import { dayIn, daysAfter } from "../../lib/format/zone-day.ts";
import { useSearchValues } from "../../lib/routing/search-params.ts";

const withoutYear = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const withYear = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });

/** "Nov 1 to Nov 21, 2026"; one day: "Nov 21, 2026" */
export const nameOfDays = ({ from, to }: Days): string => {
  const last = withYear.format(new Date(to));
  if (from === to) return last;
  return `${(from.slice(0, 4) === to.slice(0, 4) ? withoutYear : withYear).format(new Date(from))} to ${last}`;
};

/** The days that every figure, chart and list of the page is about. */
export type PageRange = {
  /** The option in the picker; "days" for days that were chosen one by one. */
  value: RangeOption | "days";
  name: string;
  /** In the tenant's time zone; undefined: all time. */
  days: Days | undefined;
  query: { range: Range } | Days;
  /** A chart needs a first day, so all time becomes the last 90 days. */
  chart: { query: { range: ChartRange } | Days; name: string };
};

const months = ["this-month", "last-month"] as const;
type RangeOption = Range | (typeof months)[number];

const usual: RangeOption = "30days";
/** Longer ones are cut by the API. */
const maxDays = 366;

const optionNames: Record<RangeOption, string> = {
  ...rangeNames,
  "24hours": "Today and yesterday",
  "this-month": "This month",
  "last-month": "Last month",
};
const options: readonly RangeOption[] = ["24hours", "7days", "30days", "90days", ...months, "all"];
const daysBack: Record<Exclude<Range, "all">, number> = { "24hours": 1, "7days": 6, "30days": 29, "90days": 89 };

const Option = z.enum([...Range.options, ...months]);
const Day = z.iso.date();
const readDay = (search: URLSearchParams, name: string): string => z.safeParse(Day, search.get(name)).data ?? "";

/** From the address: `from` and `to`, else `range`. Invalid values count as absent. `today` is a day of the tenant's time zone. */
export function readPageRange(search: URLSearchParams, today: string): PageRange {
  const [from, to] = [readDay(search, "from"), readDay(search, "to")];
  const days = from === "" && to === "" ? undefined : { from: from || daysAfter(to, -daysBack["90days"]), to: to || today };
  if (days && days.from <= days.to) {
    const earliest = daysAfter(days.to, 1 - maxDays);
    return ofDays("days", { ...days, from: days.from < earliest ? earliest : days.from });
  }
  const value = z.safeParse(Option, search.get("range")).data ?? usual;
  if (value === "this-month") return ofDays(value, { from: `${today.slice(0, 7)}-01`, to: today });
  if (value === "last-month") {
    const last = daysAfter(`${today.slice(0, 7)}-01`, -1);
    return ofDays(value, { from: `${last.slice(0, 7)}-01`, to: last });
  }
  const name = optionNames[value];
  if (value === "all")
    return { value, name, days: undefined, query: { range: value }, chart: { query: { range: "90days" }, name: optionNames["90days"] } };
  return {
    value,
    name,
    query: { range: value },
    chart: { query: { range: value }, name },
    days: { from: daysAfter(today, -daysBack[value]), to: today },
  };
}

const ofDays = (value: PageRange["value"], days: Days): PageRange => {
  const name = value === "days" ? nameOfDays(days) : `${optionNames[value]}, ${nameOfDays(days)}`;
  return { value, name, days, query: days, chart: { query: days, name } };
};

export const usePageRange = (): PageRange => {
  const [search] = useSearchParams();
  return readPageRange(search, useToday());
};

const minuteMilliseconds = 60_000;

/** Today's date in the page's time zone, updated every minute. */
export const useToday = (): string => {
  const zone = useZone();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minuteMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return dayIn(zone, now);
};

/** The picker's options, and what choosing one does to the address. */
export const useRangePicker = ({ value, name }: PageRange) => {
  const { replace } = useSearchValues();
  return {
    value,
    options: [...options.map((one) => [one, optionNames[one]] as const), ...(value === "days" ? [["days", name] as const] : [])],
    pick: (chosen: string) => replace({ from: undefined, to: undefined, range: chosen === usual ? undefined : chosen }),
  };
};

export const withAllTime = (search: URLSearchParams): URLSearchParams => {
  const next = new URLSearchParams(search);
  next.set("range", "all");
  return next;
};

/** What the calls behind a figure have in common, of a day, or of all days shown. */
export type CountedCalls = {
  day?: string;
  outcome?: FilteredOutcome;
  result?: CallResult;
  tool?: string;
  failedTool?: string;
  loggedReason?: RoutingReason;
  toolFailed?: true;
};

/** The address of these calls, with the page's days and office. No figure counts test calls. */
export const callsAddress = (search: URLSearchParams, { day, ...filter }: CountedCalls): string => {
  const next = new URLSearchParams();
  for (const name of ["range", "from", "to", "office"]) {
    const value = search.get(name);
    if (value !== null) next.set(name, value);
  }
  if (day !== undefined) for (const name of ["from", "to"]) next.set(name, day);
  for (const [name, value] of Object.entries(filter)) next.set(name, String(value));
  next.set("withoutTests", "true");
  return `/tenant/calls?${next.toString()}`;
};
