import { type ResponseOf, type Route, type Tenant, tenants } from "@vitaline/contract";
import { useState } from "react";
import useSWR, { useSWRConfig } from "swr";
import { requestIdOf } from "./api-error.ts";
import { addressOf, type Request } from "./call.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import { isOnScreen, useMarkDisplayed } from "./use-refresh.ts";
import { readAll, useAll } from "./use-all.ts";
import { type Loaded, settings } from "./use-api.ts";

type Outcome<T> = { data: T } | { error: unknown };
type Outcomes<T> = ReadonlyMap<string, Outcome<T>>;

export type EachTenant<T> = {
  tenants: Loaded<Tenant[]>;
  /** In the order of the tenants. */
  loaded: readonly { tenant: Tenant; data: T }[];
  /** Tenants whose request failed. */
  skipped: readonly Tenant[];
  isLoading: boolean;
  isRefreshing: boolean;
  refresh: () => void;
  refreshOne: (tenantId: string) => Promise<void>;
};

/** A page shows at most two such lists: six requests at once. */
const atOnce = 3;
const shownEveryMilliseconds = 150;

/** The component has unmounted. */
class NotWanted extends Error {}

const logSkipped = (route: Pick<Route, "path">, tenantId: string, error: unknown): void => {
  const name = error instanceof Error ? error.name : "Error";
  // oxlint-disable-next-line no-console -- tells operators which tenant is missing on the screen, without its content
  console.warn(`Skipped tenant ${tenantId} of ${route.path}: ${name}, request ${requestIdOf(error) ?? "unknown"}`);
};

/** Calls back at once, then at a limited rate. */
const throttled = (tell: () => void): (() => void) => {
  let last = 0;
  return () => {
    const now = Date.now();
    if (now - last < shownEveryMilliseconds) return;
    last = now;
    tell();
  };
};

/** Reads a route once for each tenant, a few at a time. Failures are skipped and logged. */
export const useEachTenant = <R extends Route>(route: R, requestOf: (tenantId: string) => Request<R>): EachTenant<ResponseOf<R>> => {
  type Answers = Outcomes<ResponseOf<R>>;
  const { cache } = useSWRConfig();
  const [inTurn] = useState(() => limitConcurrency(atOnce));
  const all = useAll(tenants.listTenants, {});
  // The route's own path, so that useRefresh finds it.
  const key = all.data ? `${addressOf(route, requestOf("each"))}#of-${all.data.length}` : null;
  useMarkDisplayed(key);
  const [soFar, setSoFar] = useState<{ key: string; answers: Answers }>();

  const settle = (tenantId: string): Promise<Outcome<ResponseOf<R>>> =>
    inTurn(async () => {
      if (key === null || !isOnScreen(cache, key)) throw new NotWanted();
      try {
        return { data: await readAll(route, requestOf(tenantId)) };
      } catch (error) {
        logSkipped(route, tenantId, error);
        return { error };
      }
    });
  const readEach = async (asked: string): Promise<Answers> => {
    const answers = new Map<string, Outcome<ResponseOf<R>>>();
    const tell = throttled(() => setSoFar({ key: asked, answers: new Map(answers) }));
    await Promise.all(
      (all.data ?? []).map(async ({ id }) => {
        answers.set(id, await settle(id));
        tell();
      }),
    );
    return answers;
  };
  const { data, isValidating, mutate } = useSWR<Answers, unknown>(key, readEach, {
    ...settings,
    // SWR's comparison considers any two maps equal.
    compare: Object.is,
  });
  const known: Answers = data ?? (soFar !== undefined && soFar.key === key ? soFar.answers : new Map());
  const outcomes = (all.data ?? []).map((tenant) => ({ tenant, outcome: known.get(tenant.id) }));
  return {
    tenants: all,
    loaded: outcomes.flatMap(({ tenant, outcome }) => (outcome && "data" in outcome ? [{ tenant, data: outcome.data }] : [])),
    skipped: outcomes.flatMap(({ tenant, outcome }) => (outcome && "error" in outcome ? [tenant] : [])),
    isLoading: all.data ? known.size < all.data.length : all.error === undefined,
    isRefreshing: isValidating,
    refresh: () => void mutate().catch(() => undefined),
    refreshOne: async (tenantId) => {
      // No data yet to insert the tenant into.
      if (data === undefined) return void (await mutate());
      const outcome = await settle(tenantId);
      await mutate((before) => before && new Map([...before, [tenantId, outcome]]), { revalidate: false });
    },
  };
};
