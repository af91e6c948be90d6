import { ActionType, type AuditQuery, AuditRange } from "@vitaline/contract";
import * as z from "zod/mini";

/** `start` and `end`: days that take the place of the time range; "" where there are none. */
export type AuditFilters = { search: string; actionType: ActionType | "all"; timeRange: AuditRange; start: string; end: string };

export const defaultFilters: AuditFilters = { search: "", actionType: "all", timeRange: "7days", start: "", end: "" };

/** The API's limit for `search`. */
const maxSearchLength = 100;
export const isTooLong = ({ search }: AuditFilters): boolean => search.trim().length > maxSearchLength;

const hasOwnDays = ({ start, end }: Pick<AuditFilters, "start" | "end">): boolean => start !== "" && end !== "";

/** Mistakes in the days. `first` and `today`: the first and the last that can be chosen; `early`: said of an earlier one. */
export const dayErrors = (
  { start, end }: Pick<AuditFilters, "start" | "end">,
  today: string,
  first = "",
  early = "The log is kept for seven years.",
): Partial<Record<"start" | "end", string>> => {
  if (start === "" && end === "") return {};
  if (start === "") return { start: "Choose the first day." };
  if (end === "") return { end: "Choose the last day." };
  if (start < first) return { start: early };
  if (end > today) return { end: "Must not be after today." };
  return start > end ? { start: "Must not be after the last day." } : {};
};

/** Reads the filters from the URL; missing or invalid values become the defaults. */
export const readFilters = (address: URLSearchParams): AuditFilters => {
  const filters = {
    search: (address.get("search") ?? "").trim(),
    actionType: ActionType.safeParse(address.get("actionType")).data ?? defaultFilters.actionType,
    timeRange: AuditRange.safeParse(address.get("range")).data ?? defaultFilters.timeRange,
    ...readDays(address),
  };
  return isTooLong(filters) ? { ...filters, search: defaultFilters.search } : filters;
};

const Day = z.iso.date();
const readDays = (address: URLSearchParams): Pick<AuditFilters, "start" | "end"> => {
  const [start = "", end = ""] = ["start", "end"].map((name) => Day.safeParse(address.get(name)).data);
  return hasOwnDays({ start, end }) && start <= end ? { start, end } : { start: "", end: "" };
};

/** Writes the filters to a copy of the URL's parameters; defaults are left out. */
export const writeFilters = (address: URLSearchParams, { search, actionType, timeRange, start, end }: AuditFilters): URLSearchParams => {
  const next = new URLSearchParams(address);
  const set = (name: string, value: string, usual: string) => (value === usual ? next.delete(name) : next.set(name, value));
  set("search", search.trim(), defaultFilters.search);
  set("actionType", actionType, defaultFilters.actionType);
  set("range", timeRange, defaultFilters.timeRange);
  set("start", start, defaultFilters.start);
  set("end", end, defaultFilters.end);
  return next;
};

export const areSameFilters = (one: AuditFilters, other: AuditFilters): boolean =>
  one.search.trim() === other.search.trim() &&
  (["actionType", "timeRange", "start", "end"] as const).every((name) => one[name] === other[name]);

export const toQuery = ({ search, actionType, timeRange, ...days }: AuditFilters, timeZone: string): AuditQuery => ({
  actionType,
  timeRange,
  ...(search && { search }),
  ...(hasOwnDays(days) ? { ...days, timeZone } : {}),
});
