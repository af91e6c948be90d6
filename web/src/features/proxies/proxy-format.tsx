import { type ApprovedProxy, ProxyChange, type ProxyRelationship, type ProxyScope } from "@vitaline/contract";
import * as z from "zod/mini";
import { dayIn } from "../../lib/format/zone-day.ts";
import { Badge } from "@chakra-ui/react/badge";

export const relationshipNames: Record<ProxyRelationship, string> = {
  parent: "Parent",
  guardian: "Guardian",
  representative: "Legal representative",
  spouse: "Spouse",
  relative: "Relative",
  caregiver: "Caregiver",
};

export const scopeNames: Record<ProxyScope, string> = {
  all: "Everything",
  no_clinical: "Everything except the medical record",
  appointments: "Appointments only",
};

type Limits = Pick<ApprovedProxy, "onHold" | "validUntil">;

export const proxyStatus = ({ onHold, validUntil }: Limits, today: string): { name: string; colorPalette: "green" | "orange" | "gray" } => {
  if (validUntil < today) return { name: "Expired", colorPalette: "gray" };
  return onHold ? { name: "On hold", colorPalette: "orange" } : { name: "May call", colorPalette: "green" };
};

export const ProxyStatusBadge = ({ proxy, today }: { proxy: Limits; today: string }) => {
  const { name, colorPalette } = proxyStatus(proxy, today);
  return <Badge colorPalette={colorPalette}>{name}</Badge>;
};

/** A year after today. */
export const usualLastDay = (timeZone: string, now = new Date()): string => {
  const [year = "", ...rest] = dayIn(timeZone, now).split("-");
  return [Number(year) + 1, ...rest].join("-").replace(/-02-29$/, "-02-28");
};

export const ProxyForm = z.required(ProxyChange);
export type ProxyValues = z.input<typeof ProxyForm>;

export const valuesOf = ({ scope, validUntil, onHold }: ApprovedProxy): ProxyValues => ({ scope, validUntil, onHold });

const labels: Record<keyof ProxyValues, string> = { scope: "Permissions", validUntil: "Last day", onHold: "On hold" };
export const { scope: scopeLabel, validUntil: lastDayLabel, onHold: holdLabel } = labels;

const names = Object.keys(labels) as (keyof ProxyValues)[];
export const differences = (before: ApprovedProxy, now: ApprovedProxy): string[] =>
  names.filter((name) => before[name] !== now[name]).map((name) => labels[name]);

/** The changed fields only. */
export const changesTo = (before: ApprovedProxy, typed: ProxyValues): Partial<ProxyValues> =>
  Object.fromEntries(names.flatMap((name) => (before[name] === typed[name] ? [] : [[name, typed[name]]])));

export const scopeOptions = Object.entries(scopeNames).map(([value, label]) => ({ value, label }));
