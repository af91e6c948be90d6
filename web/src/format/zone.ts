import { createContext, useContext } from "react";

const ofBrowser = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which times are shown: a tenant's own in its area, elsewhere the browser's. */
export const ZoneContext = createContext<string | undefined>(undefined);
export const useZone = (): string => useContext(ZoneContext) ?? ofBrowser();
