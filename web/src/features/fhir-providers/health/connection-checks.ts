import { type FhirHealth, fhirProviders } from "@vitaline/contract";
import { useSyncExternalStore } from "react";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";

const { checkFhirProvider, fhirHealthStatus, listFhirProviders } = fhirProviders;

/** By record system, the check that is to end last. */
const underWay = new Map<string, Promise<unknown>>();
const watchers = new Set<() => void>();
const tellWatchers = () => watchers.forEach((watch) => watch());

const subscribe = (watch: () => void) => {
  watchers.add(watch);
  return () => watchers.delete(watch);
};

/** Whether a record system is being checked, whoever on the page has asked for it. */
export const useIsChecking = (id: string): boolean => useSyncExternalStore(subscribe, () => underWay.has(id));

/** Checks a record system, after any check of it that is under way: that one may be of a connection from before a change. */
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

/** The same, until what it found is on the screen. */
export const useCheck = (): ((id: string) => Promise<FhirHealth>) => {
  const refresh = useRefresh();
  // What does not arrive is asked for again with the next poll.
  const show = () => refresh(fhirHealthStatus, listFhirProviders).catch(() => undefined);
  return (id) => checkConnection(id, show);
};
