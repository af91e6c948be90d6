import { type FhirHealth, fhirProviders } from "@vitaline/contract";
import { useEffect, useRef } from "react";
import { useRefresh } from "../../lib/api/use-refresh.ts";

const statusesIn = (providers: readonly FhirHealth[]): string => providers.map(({ id, status }) => `${id} ${status}`).join();

/** Asks for the list of record systems again as soon as a status is another one than before: both name it, and must not differ. */
export const useListInStep = (providers: readonly FhirHealth[] | undefined): void => {
  const refresh = useRefresh();
  const latest = useRef(refresh);
  useEffect(() => void (latest.current = refresh));
  const known = useRef<string>(undefined);
  const now = providers && statusesIn(providers);
  useEffect(() => {
    const isNew = known.current !== undefined && now !== undefined && known.current !== now;
    known.current = now ?? known.current;
    if (isNew) latest.current(fhirProviders.listFhirProviders).catch(() => undefined);
  }, [now]);
};
