import { ActionType, type AuditQuery, AuditRange } from "@vitaline/contract";

export type AuditFilters = { search: string; actionType: ActionType | "all"; timeRange: AuditRange };

export const defaultFilters: AuditFilters = { search: "", actionType: "all", timeRange: "7days" };

/** The API's limit for `search`. */
const maxSearchLength = 100;
export const isTooLong = ({ search }: AuditFilters): boolean => search.trim().length > maxSearchLength;

/** Reads the filters from the URL; missing or invalid values become the defaults. */
export const readFilters = (address: URLSearchParams): AuditFilters => {
  const filters = {
    search: (address.get("search") ?? "").trim(),
    actionType: ActionType.safeParse(address.get("actionType")).data ?? defaultFilters.actionType,
    timeRange: AuditRange.safeParse(address.get("range")).data ?? defaultFilters.timeRange,
  };
  return isTooLong(filters) ? { ...filters, search: defaultFilters.search } : filters;
};

/** Writes the filters to a copy of the URL's parameters; defaults are left out. */
export const writeFilters = (address: URLSearchParams, { search, actionType, timeRange }: AuditFilters): URLSearchParams => {
  const next = new URLSearchParams(address);
  const set = (name: string, value: string, usual: string) => (value === usual ? next.delete(name) : next.set(name, value));
  set("search", search.trim(), defaultFilters.search);
  set("actionType", actionType, defaultFilters.actionType);
  set("range", timeRange, defaultFilters.timeRange);
  return next;
};

export const areSameFilters = (one: AuditFilters, other: AuditFilters): boolean =>
  one.search.trim() === other.search.trim() && one.actionType === other.actionType && one.timeRange === other.timeRange;

export const toQuery = ({ search, actionType, timeRange }: AuditFilters): AuditQuery => ({
  actionType,
  timeRange,
  ...(search && { search }),
});
