import { ActionType, type AuditQuery, AuditRange } from "@vitaline/contract";

export type AuditFilters = { search: string; actionType: ActionType | "all"; timeRange: AuditRange };

export const noFilters: AuditFilters = { search: "", actionType: "all", timeRange: "7days" };

/** As many characters as the log can be asked for. */
const longestSearch = 100;
export const isTooLong = ({ search }: AuditFilters): boolean => search.trim().length > longestSearch;

/** As the address has them; what it does not say, or says wrongly, is as it usually is. */
export const filtersIn = (address: URLSearchParams): AuditFilters => {
  const filters = {
    search: (address.get("search") ?? "").trim(),
    actionType: ActionType.safeParse(address.get("actionType")).data ?? noFilters.actionType,
    timeRange: AuditRange.safeParse(address.get("range")).data ?? noFilters.timeRange,
  };
  return isTooLong(filters) ? { ...filters, search: noFilters.search } : filters;
};

/** The address with other filters: what is usual is left out, and what else it says stays. */
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

/** What the log is asked for. */
export const queryOf = ({ search, actionType, timeRange }: AuditFilters): AuditQuery => ({
  actionType,
  timeRange,
  ...(search && { search }),
});
