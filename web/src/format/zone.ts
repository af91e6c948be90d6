import { createContext, useContext } from "react";

let known: string | undefined;
const ofBrowser = (): string => (known ??= Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The time zone in which times are shown: a tenant's own in its area, elsewhere the browser's. */
export const ZoneContext = createContext<string | undefined>(undefined);
export const useZone = (): string => useContext(ZoneContext) ?? ofBrowser();
