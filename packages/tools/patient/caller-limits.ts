import { countWithin, keys } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { scopedHash } from "../sdk/keyed-hash.ts";
import { digitsOf } from "../nlu/digits.ts";

const minDigits = 7;

/** ANONYMOUS, BLOCKED, RESTRICTED, UNAVAILABLE and UNKNOWN, spelled on a telephone keypad by networks. */
const withheldNumbers = new Set(["266696687", "2562533", "7378742833", "86282452253", "8656696"]);

/** Per hour. Callers who withhold their number share one limit, so that they cannot use up the others'. */
const allowed = {
  registrations: { key: 100, caller: 5, withheld: 40 },
  leads: { key: 200, caller: 6, withheld: 60 },
} as const;
const hourMs = 3_600_000;
/** Distinguishes a hundred callers and keeps the row small. */
const hashLength = 8;

/** Counts a registration or lead for this API key and caller; false at the limit. One write unit, two above about seventy callers. */
export async function withinHourlyLimit({ ctx, call }: Run, of: keyof typeof allowed): Promise<boolean> {
  const most = allowed[of];
  const nowMs = ctx.clock().getTime();
  const caller = callerOf(call);
  const hide = (...parts: string[]) => scopedHash("caller-limits", ctx.tenantId, [of, ...parts]);
  const mark = caller === undefined ? "withheld" : `c_${hide("caller", caller).slice(0, hashLength)}`;
  const limits = { count: most.key, [mark]: caller === undefined ? most.withheld : most.caller };
  const counter = keys.counter(of, hide(ctx.actor.id), String(Math.floor(nowMs / hourMs)));
  return (await countWithin(ctx.store, counter, { limits, expiresAt: Math.ceil(nowMs / 1000) + 7200 })) !== undefined;
}

/** What distinguishes the caller from others; undefined if nothing does. */
export const callerOf = (call: Run["call"]): string | undefined => call.callerMark ?? callerNumberOf(call);

/** The caller's digits; undefined if the number is withheld. */
export const callerNumberOf = ({ callerNumber = "" }: Pick<Run["call"], "callerNumber">): string | undefined => {
  const digits = digitsOf(callerNumber);
  return digits.length >= minDigits && !withheldNumbers.has(digits) ? digits : undefined;
};
