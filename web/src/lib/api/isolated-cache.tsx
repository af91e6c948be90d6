import type { ReactNode } from "react";
import { SWRConfig } from "swr";

/** What is read inside is kept only as long as it is shown, so each opening is a reading of its own; useRefresh inside reaches nothing outside. */
export const Forgetting = ({ children }: { children: ReactNode }) => (
  <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
);
