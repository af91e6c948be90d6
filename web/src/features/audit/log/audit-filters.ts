import { ActionType, type AuditQuery, AuditRange } from "@vitaline/contract";

export type AuditFilters = { search: string; actionType: ActionType | "all"; timeRange: AuditRange };

export const noFilters: AuditFilters = { search: "", actionType: "all", timeRange: "7days" };

/** The API's limit for `search`. */
const longestSearch = 100;
export const isTooLong = ({ search }: AuditFilters): boolean => search.trim().length > longestSearch;

/** Reads the filters from the URL; missing or invalid values become the defaults. */
export const filtersIn = (address: URLSearchParams): AuditFilters => {
  const filters = {
    search: (address.get("search") ?? "").trim(),
    actionType: ActionType.safeParse(address.get("actionType")).data ?? noFilters.actionType,
    timeRange: AuditRange.safeParse(address.get("range")).data ?? noFilters.timeRange,
  };
  return isTooLong(filters) ? { ...filters, search: noFilters.search } : filters;
};

/** Writes the filters to a copy of the URL's parameters; defaults are left out. */
export const withFilters = (address: URLSearchParams, { search, actionType, timeRange }: AuditFilters): URLSearchParams => {
  const next = new URLSearchParams(address);
  const set = (name: string, value: string, usual: string) => (value === usual ? next.delete(name) : next.set(name, value));
  set("search", search.trim(), noFilters.search);
  set("actionType", actionType, noFilters.actionType);
  set("range", timeRange, noFilters.timeRange);
  return next;
};

export const areSame = (one: AuditFilters, other: AuditFilters): boolean =>
  one.search.trim() === other.search.trim() && one.actionType === other.actionType && one.timeRange === other.timeRange;

export const queryOf = ({ search, actionType, timeRange }: AuditFilters): AuditQuery => ({
  actionType,
  timeRange,
  ...(search && { search }),
});
