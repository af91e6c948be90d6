import { tenantCalls, tenantDashboard, tenantFhirProviders, tenantOffices } from "@vitaline/contract";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import { useKeyCopied } from "./key-copied.ts";
import type { Beginnings } from "./steps.ts";

/** What a tenant has already done, from five reads that other panels share where they can. Asks for nothing unless `when`. */
export const useBeginnings = (tenantId: string, when: boolean): Loaded<Beginnings> => {
  const isKeyCopied = useKeyCopied(tenantId);
  const metrics = useApi(tenantDashboard.tenantMetrics, { query: { range: "all" } }, { when });
  const calls = useApi(tenantDashboard.recentCalls, { query: { limit: 5 } }, { when });
  const toolRuns = useApi(tenantCalls.listToolCalls, { query: { limit: 1 } }, { when });
  const offices = useApi(tenantOffices.officeCards, {}, { when });
  const providers = useApi(tenantFhirProviders.listTenantFhirProviders, {}, { when });
  const missing = [metrics, calls, toolRuns, offices, providers].filter(({ data }) => data === undefined);
  return {
    data: metrics.data &&
      calls.data &&
      toolRuns.data &&
      offices.data &&
      providers.data && {
        isKeyCopied,
        metrics: metrics.data,
        calls: calls.data,
        toolRuns: toolRuns.data,
        offices: offices.data,
        providers: providers.data,
      },
    receivedAt: metrics.receivedAt,
    error: missing.find(({ error }) => error !== undefined)?.error,
    isLoading: missing.some(({ isLoading }) => isLoading),
    isRefreshing: missing.some(({ isRefreshing }) => isRefreshing),
    refresh: () => missing.forEach(({ refresh }) => refresh()),
  };
};
