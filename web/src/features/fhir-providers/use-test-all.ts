import type { FhirHealth, FhirProvider } from "@vitaline/contract";
import { useEffect, useRef, useState } from "react";
import { explain } from "../../lib/api/api-error.ts";
import { atMost } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { checkConnection } from "./checks-under-way.ts";

/** So many are asked at the same time. */
const atOnce = 4;

export type Found = Pick<FhirHealth, "status" | "message">;
export type TestAllOptions = {
  providers: readonly Pick<FhirProvider, "id" | "name">[];
  /** Once all have been tried, or as many as were until one left. */ onTested: () => void;
};

const check = (id: string): Promise<Found> =>
  checkConnection(id).catch((error: unknown) => ({ status: "unknown", message: explain(error) }));

/** Tries record systems without reading a patient; `found` has those that were, by id. Who leaves lets those be that have not begun. */
export const useTestAll = ({ providers, onTested }: TestAllOptions) => {
  const [found, setFound] = useState<Readonly<Record<string, Found>>>();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);
  const { run, isBusy } = useAction(async () => {
    setFound({});
    const inTurn = atMost(atOnce);
    const tryOne = async (id: string) => {
      if (isGone.current) return;
      const one = await check(id);
      setFound((known) => ({ ...known, [id]: one }));
    };
    await Promise.all(providers.map(({ id }) => inTurn(() => tryOne(id))));
    onTested();
  });
  return { found, run, isBusy };
};
