import { type ApprovedProxy, ProxyChange } from "@vitaline/contract";
import * as z from "zod/mini";
import { dayIn } from "../../lib/format/zone-day.ts";
import { scopeNames } from "./proxy-format.tsx";

/** A year after today. */
export const usualLastDay = (timeZone: string, now = new Date()): string => {
  const [year = "", ...rest] = dayIn(timeZone, now).split("-");
  return [Number(year) + 1, ...rest].join("-").replace(/-02-29$/, "-02-28");
};

export const ProxyForm = z.required(ProxyChange);
export type ProxyValues = z.input<typeof ProxyForm>;

export const valuesOf = ({ scope, validUntil, onHold }: ApprovedProxy): ProxyValues => ({ scope, validUntil, onHold });

const labels: Record<keyof ProxyValues, string> = { scope: "May know and do", validUntil: "Last day", onHold: "On hold" };
export const { scope: scopeLabel, validUntil: lastDayLabel, onHold: holdLabel } = labels;

const names = Object.keys(labels) as (keyof ProxyValues)[];
export const differences = (before: ApprovedProxy, now: ApprovedProxy): string[] =>
  names.filter((name) => before[name] !== now[name]).map((name) => labels[name]);

/** The changed fields only. */
export const changesTo = (before: ApprovedProxy, typed: ProxyValues): Partial<ProxyValues> =>
  Object.fromEntries(names.flatMap((name) => (before[name] === typed[name] ? [] : [[name, typed[name]]])));

export const scopeOptions = Object.entries(scopeNames).map(([value, label]) => ({ value, label }));
