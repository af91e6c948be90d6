import { type FhirHealth, fhirProviders } from "@vitaline/contract";
import { useSyncExternalStore } from "react";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";

const { checkFhirProvider, fhirHealthStatus, listFhirProviders } = fhirProviders;

/** The last scheduled check of each provider. */
const underWay = new Map<string, Promise<unknown>>();
const watchers = new Set<() => void>();
const tellWatchers = () => watchers.forEach((watch) => watch());

const subscribe = (watch: () => void) => {
  watchers.add(watch);
  return () => watchers.delete(watch);
};

export const useIsChecking = (id: string): boolean => useSyncExternalStore(subscribe, () => underWay.has(id));

/** Waits for a running check of the same provider first, as that one may use an earlier configuration. */
export const checkConnection = (id: string, afterwards: () => Promise<void> = async () => undefined): Promise<FhirHealth> => {
  const run = (underWay.get(id) ?? Promise.resolve())
    .catch(() => undefined)
    .then(() => call(checkFhirProvider, { params: { id } }))
    .finally(afterwards);
  underWay.set(id, run);
  tellWatchers();
  const end = () => {
    if (underWay.get(id) === run) underWay.delete(id);
    tellWatchers();
  };
  run.then(end, end);
  return run;
};

/** Like `checkConnection`, but resolves once the result is visible. */
export const useCheck = (): ((id: string) => Promise<FhirHealth>) => {
  const refresh = useRefresh();
  // If the refresh fails, the next poll repeats it.
  const show = () => refresh(fhirHealthStatus, listFhirProviders).catch(() => undefined);
  return (id) => checkConnection(id, show);
};
