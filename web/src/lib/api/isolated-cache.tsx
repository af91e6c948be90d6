import type { ReactNode } from "react";
import { SWRConfig } from "swr";

/** Data read inside is dropped when the component unmounts; useRefresh inside does not reach data outside. */
export const IsolatedCache = ({ children }: { children: ReactNode }) => (
  <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
);
