import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False while a prerendered part of the page wakes up: it must first be what the server rendered, for whom nobody was known yet. */
export const useIsAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
