import { offeredTimeZones } from "@vitaline/contract";

const readable = (zone: string): string => zone.replaceAll("_", " ");

/** The zones of a list to choose from: the usual four first, then all that the browser knows, and the one that is set. */
export const timeZoneOptions = (current: string): { value: string; label: string }[] => {
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => !offeredTimeZones.some((offered) => offered === zone));
  return [...new Set([...offeredTimeZones, ...(current === "" ? [] : [current]), ...others])].map((zone) => ({
    value: zone,
    label: readable(zone),
  }));
};
