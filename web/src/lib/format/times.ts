import { createContext, useContext } from "react";
import { suggestedTimeZones } from "@vitaline/contract";

const readable = (zone: string): string => zone.replaceAll("_", " ");

/** "America/New_York" → "New York"; "America/Indiana/Knox" → "Knox, Indiana" */
const placeOf = (zone: string): string => readable(zone.split("/").slice(1).toReversed().join(", "));

/** "Eastern Time (New York)" */
const namedZone = (zone: string): string => (zone.includes("/") ? `${formatTimeZone(zone)} (${placeOf(zone)})` : readable(zone));

/** The four US zones first, then the current one and all zones of the browser. These keep the names that browsers list them by. */
export const timeZoneOptions = (current: string): { value: string; label: string }[] => {
  const named = [...new Set([...suggestedTimeZones, ...(current === "" ? [] : [current])])];
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => !named.includes(zone));
  return [...named.map((value) => ({ value, label: namedZone(value) })), ...others.map((value) => ({ value, label: readable(value) }))];
};

let known: string | undefined;
const ofBrowser = (): string => (known ??= Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The time zone of displayed times: the tenant's, else the browser's. */
export const ZoneContext = createContext<string | undefined>(undefined);
export const useZone = (): string => useContext(ZoneContext) ?? ofBrowser();

/** Whole minutes, or "Call" without a duration. */
export const formatCallMinutes = (durationSeconds: number | null): string => {
  if (!durationSeconds) return "Call";
  return durationSeconds < 30 ? "<1m" : `${Math.round(durationSeconds / 60)}m`;
};

/** "4m 32s", or "N/A" */
export const formatDuration = (seconds: number | null): string =>
  seconds === null ? "N/A" : `${Math.floor(Math.round(seconds) / 60)}m ${Math.round(seconds) % 60}s`;

/** Whole minutes. */
export const formatAverageMinutes = (seconds: number): string => `${Math.round(seconds / 60)}m`;

type InZone = (timeZone: string | undefined) => Intl.DateTimeFormat;

/** Caches formatters: creating one takes longer than rendering a row. */
const inZone = (options: Intl.DateTimeFormatOptions): InZone => {
  const made = new Map<string | undefined, Intl.DateTimeFormat>();
  return (timeZone) => {
    const format = made.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { ...options, ...(timeZone ? { timeZone } : {}) });
    made.set(timeZone, format);
    return format;
  };
};

const moment = inZone({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const momentOfYear = inZone({ month: "short", day: "numeric", year: "numeric", hour: "numeric", minute: "2-digit" });
const exact = inZone({ dateStyle: "full", timeStyle: "long" });
const day = inZone({ month: "short", day: "numeric", year: "numeric" });
const clock = inZone({ hour: "numeric", minute: "2-digit", second: "2-digit" });

/** "Nov 21, 3:14 PM", in the browser's zone by default. */
export const formatMoment = (instant: string, timeZone?: string): string => moment(timeZone).format(new Date(instant));

/** "Nov 21, 2026, 3:14 PM", where times of several years are together. */
export const formatMomentOfYear = (instant: string, timeZone?: string): string => momentOfYear(timeZone).format(new Date(instant));

/** The full date with its zone. */
export const formatExactly = (instant: string, timeZone?: string): string => exact(timeZone).format(new Date(instant));

/** "Nov 21, 2026" */
export const formatDay = (instant: string, timeZone?: string): string => day(timeZone).format(new Date(instant));

/** "3:14:07 PM", in the browser's zone by default. */
export const formatClock = (date: Date, timeZone?: string): string => clock(timeZone).format(date);

/** "America/New_York" → "Eastern Time", in every season. */
export const formatTimeZone = (timeZone: string): string =>
  timeZone === "UTC"
    ? timeZone
    : (new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longGeneric" })
        .formatToParts()
        .find(({ type }) => type === "timeZoneName")?.value ?? timeZone);
