import { type FhirHealth, fhirProviders } from "@vitaline/contract";
import { useSyncExternalStore } from "react";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";

const { checkFhirProvider, fhirHealthStatus, listFhirProviders } = fhirProviders;

/** The last scheduled check of each provider. */
const running = new Map<string, Promise<unknown>>();
const listeners = new Set<() => void>();
const notifyListeners = () => listeners.forEach((watch) => watch());

const subscribe = (watch: () => void) => {
  listeners.add(watch);
  return () => listeners.delete(watch);
};

export const useIsChecking = (id: string): boolean => useSyncExternalStore(subscribe, () => running.has(id));

/** Waits for a running check of the same provider first, as that one may use an earlier configuration. */
export const checkConnection = (id: string, afterwards: () => Promise<void> = async () => undefined): Promise<FhirHealth> => {
  const run = (running.get(id) ?? Promise.resolve())
    .catch(() => undefined)
    .then(() => call(checkFhirProvider, { params: { id } }))
    .finally(afterwards);
  running.set(id, run);
  notifyListeners();
  const end = () => {
    if (running.get(id) === run) running.delete(id);
    notifyListeners();
  };
  run.then(end, end);
  return run;
};

/** Like `checkConnection`, but resolves once the result is visible. */
export const useConnectionCheck = (): ((id: string) => Promise<FhirHealth>) => {
  const refresh = useRefresh();
  // If the refresh fails, the next poll repeats it.
  const show = () => refresh(fhirHealthStatus, listFhirProviders).catch(() => undefined);
  return (id) => checkConnection(id, show);
};
