import { createContext, useContext } from "react";
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

let known: string | undefined;
const ofBrowser = (): string => (known ??= Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The time zone in which times are shown: a tenant's own in its area, elsewhere the browser's. */
export const ZoneContext = createContext<string | undefined>(undefined);
export const useZone = (): string => useContext(ZoneContext) ?? ofBrowser();

/** Whole minutes, or the word "Call" while nobody has said how long it was. */
export const formatCallMinutes = (durationSeconds: number | null): string => {
  if (!durationSeconds) return "Call";
  return durationSeconds < 30 ? "<1m" : `${Math.round(durationSeconds / 60)}m`;
};

/** "4m 32s", or "N/A" while nobody has said how long it was. */
export const formatDuration = (seconds: number | null): string =>
  seconds === null ? "N/A" : `${Math.floor(Math.round(seconds) / 60)}m ${Math.round(seconds) % 60}s`;

/** An average in whole minutes. */
export const formatAverageMinutes = (seconds: number): string => `${Math.round(seconds / 60)}m`;

type InZone = (timeZone: string | undefined) => Intl.DateTimeFormat;

/** Formatters of one look, by zone: making one takes longer than a row of a table. */
const inZone = (options: Intl.DateTimeFormatOptions): InZone => {
  const made = new Map<string | undefined, Intl.DateTimeFormat>();
  return (timeZone) => {
    const format = made.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { ...options, ...(timeZone ? { timeZone } : {}) });
    made.set(timeZone, format);
    return format;
  };
};

const moment = inZone({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const exact = inZone({ dateStyle: "full", timeStyle: "long" });
const day = inZone({ month: "short", day: "numeric", year: "numeric" });
const clock = inZone({ hour: "numeric", minute: "2-digit", second: "2-digit" });

/** "Nov 21, 3:14 PM", in this browser's zone or the one given. */
export const formatMoment = (instant: string, timeZone?: string): string => moment(timeZone).format(new Date(instant));

/** The whole date with its zone, for a title. */
export const formatExactly = (instant: string, timeZone?: string): string => exact(timeZone).format(new Date(instant));

/** "Nov 21, 2026" */
export const formatDay = (instant: string, timeZone?: string): string => day(timeZone).format(new Date(instant));

/** "3:14:07 PM", in this browser's zone or the one given. */
export const formatClock = (date: Date, timeZone?: string): string => clock(timeZone).format(date);
