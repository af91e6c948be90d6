import type { Route } from "@vitaline/contract";
import { useSWRConfig } from "swr";
import { forgetUnseen } from "./on-screen.ts";

/** Whether a key of the cache is this row's, whatever its params and query, and whoever reads it fresh. */
export const isOfRoute = ({ path }: Pick<Route, "path">): ((key: unknown) => boolean) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?#]+")}([?#]|$)`);
  return (key) => typeof key === "string" && pattern.test(key);
};

/**
 * Asks again for what is on screen from these rows of the contract, whatever their queries; after a change that they show. What is
 * kept of them and not on screen is forgotten, so that it is asked for when it is.
 */
export const useRefresh = () => {
  const { cache, mutate } = useSWRConfig();
  return async (...routes: Pick<Route, "path">[]): Promise<void> => {
    const ofRoutes = routes.map(isOfRoute);
    const isMeant = (key: unknown): boolean => ofRoutes.some((isOf) => isOf(key));
    const arrived = mutate(isMeant);
    // Before they arrive: what comes late to an address that was forgotten meanwhile counts for nothing.
    forgetUnseen(cache, isMeant);
    await arrived;
  };
};
