import {
  type CallView,
  CallResult,
  CallStatus,
  FilteredOutcome,
  Id,
  type RequestOf,
  RoutingReason,
  type tenantCalls,
} from "@vitaline/contract";
import * as z from "zod/mini";
import { daysAfter, endOfDay, startOfDay } from "../../../lib/format/zone-day.ts";

const blankOr = <S extends z.ZodMiniType>(schema: S) => z.union([z.literal(""), schema]);
const Day = blankOr(z.iso.date("Must be a date"));

const fields = {
  /** Days in the tenant's time zone, both inclusive */
  from: Day,
  to: Day,
  status: blankOr(CallStatus),
  outcome: blankOr(FilteredOutcome),
  intent: blankOr(RoutingReason),
  /** The platform's id of a voice agent */
  agent: z.string().check(z.trim(), z.maxLength(200)),
  q: z.string().check(z.trim(), z.maxLength(100, "Must be at most 100 characters")),
};

/** "" means any */
export const CallSearch = z
  .object(fields)
  .check(z.refine(({ from, to }) => from === "" || to === "" || from <= to, { path: ["to"], error: "Must not be before the first day" }));
export type CallSearch = z.infer<typeof CallSearch>;

/** What figures that open their calls ask for; no form does. */
const countedBy = {
  loggedReason: blankOr(RoutingReason),
  result: blankOr(CallResult),
  tool: blankOr(z.string().check(z.regex(/^\w{1,64}$/))),
  failedTool: blankOr(z.string().check(z.regex(/^\w{1,64}$/))),
};
const CountedBy = z.object(countedBy);
export type CountedBy = z.infer<typeof CountedBy>;

export type CallFilter = CallSearch & CountedBy & { office: string; needsFollowUp: boolean; toolFailed: boolean; withoutTests: boolean };

const readParam = <S extends z.ZodMiniType<string>>(search: URLSearchParams, name: string, schema: S): z.output<S> | "" =>
  z.safeParse(schema, search.get(name) ?? "").data ?? "";

/** Reads the filter from the URL; invalid values count as any. */
export const readCallFilter = (search: URLSearchParams): CallFilter => {
  const read: CallSearch = {
    from: readParam(search, "from", fields.from),
    to: readParam(search, "to", fields.to),
    status: readParam(search, "status", fields.status),
    outcome: readParam(search, "outcome", fields.outcome),
    intent: readParam(search, "intent", fields.intent),
    agent: readParam(search, "agent", fields.agent),
    q: readParam(search, "q", fields.q),
  };
  const isOrdered = CallSearch.safeParse(read).success;
  return {
    ...read,
    to: isOrdered ? read.to : "",
    loggedReason: readParam(search, "loggedReason", countedBy.loggedReason),
    result: readParam(search, "result", countedBy.result),
    tool: readParam(search, "tool", countedBy.tool),
    failedTool: readParam(search, "failedTool", countedBy.failedTool),
    office: readParam(search, "office", Id),
    needsFollowUp: search.get("needsFollowUp") === "true",
    toolFailed: search.get("toolFailed") === "true",
    withoutTests: search.get("withoutTests") === "true",
  };
};

/** Changes filters in a copy of the URL's parameters; the others stay. */
export const writeCallFilter = (search: URLSearchParams, change: Partial<CallFilter>): URLSearchParams => {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === "" || value === false) next.delete(name);
    else next.set(name, String(value));
  }
  return next;
};

export const emptySearch: CallSearch = { from: "", to: "", status: "", outcome: "", intent: "", agent: "", q: "" };

export const noFilters: Omit<CallFilter, "office"> = {
  ...emptySearch,
  ...{ loggedReason: "", result: "", tool: "", failedTool: "" },
  ...{ needsFollowUp: false, toolFailed: false, withoutTests: false },
};

/** The office has a picker of its own and does not count. */
export const hasFilters = (shown: CallFilter): boolean =>
  (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((name) => shown[name] !== noFilters[name]);

/** The API's query, with days as UTC instants. */
export const toQuery = (shown: CallFilter, timeZone: string): RequestOf<typeof tenantCalls.exportCalls>["query"] => ({
  from: shown.from === "" ? undefined : startOfDay(shown.from, timeZone),
  to: shown.to === "" ? undefined : endOfDay(shown.to, timeZone),
  status: shown.status || undefined,
  outcome: shown.outcome || undefined,
  intent: shown.intent || undefined,
  loggedReason: shown.loggedReason || undefined,
  result: shown.result || undefined,
  tool: shown.tool || undefined,
  failedTool: shown.failedTool || undefined,
  agentId: shown.agent || undefined,
  officeId: shown.office || undefined,
  needsFollowUp: shown.needsFollowUp ? "true" : undefined,
  toolFailed: shown.toolFailed ? "true" : undefined,
  isTest: shown.withoutTests ? "false" : undefined,
  q: shown.q || undefined,
});

const firstOf = (today: string, lastDays: number): string => daysAfter(today, 1 - lastDays);

/** Periods that move with today. */
const periods = [
  { label: "Today", lastDays: 1 },
  { label: "Last 7 days", lastDays: 7 },
  { label: "Last 30 days", lastDays: 30 },
] as const;

export const periodOptions = (today: string): readonly { label: string; from: string; to: string }[] => {
  const [first, ...longer] = periods.map(({ label, lastDays }) => ({ label, from: firstOf(today, lastDays), to: "" }));
  const yesterday = daysAfter(today, -1);
  return [
    { label: "Any time", from: "", to: "" },
    ...(first ? [first] : []),
    { label: "Yesterday", from: yesterday, to: yesterday },
    ...longer,
  ];
};

type SavedFilter = Omit<CallView, "name">;

/** What a saved view keeps: a period that begins as one of the buttons' moves with the day. */
export const toSavedFilter = ({ from, to, status, outcome, intent, agent, q, office, ...more }: CallFilter, today: string): SavedFilter => {
  const lastDays = to === "" ? periods.find((one) => from === firstOf(today, one.lastDays))?.lastDays : undefined;
  const isYesterday = from === to && from === daysAfter(today, -1);
  const days = { ...(from && { from }), ...(to && { to }) };
  const period = isYesterday ? { yesterday: true as const } : lastDays === undefined ? days : { lastDays };
  const { loggedReason, result, tool, failedTool, needsFollowUp, toolFailed, withoutTests } = more;
  return {
    ...period,
    ...(status && { status }),
    ...(outcome && { outcome }),
    ...(intent && { intent }),
    ...(loggedReason && { loggedReason }),
    ...(result && { result }),
    ...(tool && { tool }),
    ...(failedTool && { failedTool }),
    ...(agent && { agentId: agent }),
    ...(office && { officeId: office }),
    ...(needsFollowUp && { needsFollowUp }),
    ...(toolFailed && { toolFailed }),
    ...(withoutTests && { withoutTests }),
    ...(q && { q }),
  };
};

const daysOf = ({ yesterday, lastDays, from = "", to = "" }: SavedFilter, today: string): Pick<CallFilter, "from" | "to"> => {
  if (yesterday) return { from: daysAfter(today, -1), to: daysAfter(today, -1) };
  return { from: lastDays === undefined ? from : firstOf(today, lastDays), to };
};

export const fromSavedFilter = (view: SavedFilter, today: string): CallFilter => ({
  ...daysOf(view, today),
  status: view.status ?? "",
  outcome: view.outcome ?? "",
  intent: view.intent ?? "",
  loggedReason: view.loggedReason ?? "",
  result: view.result ?? "",
  tool: view.tool ?? "",
  failedTool: view.failedTool ?? "",
  agent: view.agentId ?? "",
  office: view.officeId ?? "",
  needsFollowUp: view.needsFollowUp ?? false,
  toolFailed: view.toolFailed ?? false,
  withoutTests: view.withoutTests ?? false,
  q: view.q ?? "",
});
