import { countWithin, keys } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { hidden } from "../sdk/keyed-hash.ts";
import { digitsOf } from "../speech/spoken-digits.ts";

/** In an hour: of one key, of one caller, and of all callers together whose number is withheld, so that these cannot use up the rest. */
const allowed = {
  registrations: { key: 100, caller: 5, withheld: 40 },
  leads: { key: 200, caller: 6, withheld: 60 },
} as const;
const hourMs = 3_600_000;
/** Enough to tell a hundred callers apart, and so few that all of them fit into a small row. */
const markLength = 8;

/**
 * Counts a registration or a lead of this key and this caller, before anything is looked for; false when either has had its share. Both counts stand
 * in one row with one condition: one write unit, two once some seventy callers are in it.
 */
export async function withinHourlyLimit({ ctx, call }: Run, of: keyof typeof allowed): Promise<boolean> {
  const most = allowed[of];
  const nowMs = ctx.clock().getTime();
  const caller = callerOf(call);
  const hide = (...parts: string[]) => hidden("attempts", ctx.tenantId, [of, ...parts]);
  const mark = caller === undefined ? "withheld" : `c_${hide("caller", caller).slice(0, markLength)}`;
  const limits = { count: most.key, [mark]: caller === undefined ? most.withheld : most.caller };
  const counter = keys.attempts(of, hide(ctx.actor.id), String(Math.floor(nowMs / hourMs)));
  return (await countWithin(ctx.store, counter, { limits, expiresAt: Math.ceil(nowMs / 1000) + 7200 })) !== undefined;
}

const fewestDigits = 7;

/** What networks put for ANONYMOUS, BLOCKED, RESTRICTED, UNAVAILABLE and UNKNOWN: the words on the keys of a telephone. */
const noNumbers = new Set(["266696687", "2562533", "7378742833", "86282452253", "8656696"]);

/** The number of a caller; undefined for one that is withheld ("anonymous", ""), which is many callers'. */
export const callerOf = ({ callerNumber = "" }: Pick<Run["call"], "callerNumber">): string | undefined => {
  const digits = digitsOf(callerNumber);
  return digits.length >= fewestDigits && !noNumbers.has(digits) ? digits : undefined;
};
