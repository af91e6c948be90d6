import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False while a prerendered page hydrates: the first render must equal the server's, which knows no user. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
