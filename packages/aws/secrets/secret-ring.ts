import type { AppSecret } from "@vitaline/core";
import * as z from "zod/mini";

const value = z.string().check(z.minLength(32));

/**
 * An app secret's text in Secrets Manager. `next` is accepted, but not used yet; `former` values are accepted until their time, or without
 * one for good.
 */
export const SecretRing = z.object({
  value,
  next: z.optional(value),
  former: z._default(z.array(z.object({ value, until: z.optional(z.iso.datetime()) })), []),
});
export type SecretRing = z.output<typeof SecretRing>;

/** The current value first. */
export const acceptedValues = ({ value: current, next, former }: SecretRing, now: Date): [string, ...string[]] => [
  current,
  ...former.flatMap((one) => (one.until === undefined || Date.parse(one.until) > now.getTime() ? [one.value] : [])),
  ...(next === undefined ? [] : [next]),
];

const hourMs = 3_600_000;
/** How long a replaced value is accepted: as long as what was made with it lasts. Hashes stay in rows and in the audit. */
export const formerMs: Readonly<Record<AppSecret, number | undefined>> = {
  edge: hourMs,
  // A call token is valid for two hours.
  tokens: 3 * hourMs,
  cursors: 24 * hourMs,
  hashes: undefined,
  // A session ends after twelve hours.
  sessions: 13 * hourMs,
};
