import * as z from "zod/mini";

/** Our own ids: lower-case ULIDs, safe in keys, paths and ARNs. */
export const Id = z.string().check(z.regex(/^[0-9a-z]{26}$/, "Must be an id of this platform"));

/** No control or invisible characters: bidirectional marks, zero width, lone surrogates. */
const visible = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** One line of typed text: trimmed, 1 to `max` characters, no control characters. */
export const line = (max: number, message = "Is required") =>
  z
    .string(message)
    .check(
      z.trim(),
      z.minLength(1, message),
      z.maxLength(max, `Must be at most ${max} characters`),
      z.regex(visible, "Must not contain control or invisible characters"),
    );

type Checks = z.core.$ZodCheck<string>[];

const blankableLine = (max: number, checks: Checks) =>
  z.nullable(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(max, `Must be at most ${max} characters`),
        z.regex(visible, "Must not contain control or invisible characters"),
        ...checks,
      ),
  );

/** Optional text: "", null and absent mean absent. `checks`: of the format; they let "" pass. */
export const optionalLine = (max: number, ...checks: Checks) =>
  z.optional(
    z.pipe(
      blankableLine(max, checks),
      z.transform((text) => text || undefined),
    ),
  );

/** Optional text in a change: absent keeps the value; "" and null become null and clear it. */
export const changedLine = (max: number, ...checks: Checks) =>
  z.optional(
    z.pipe(
      blankableLine(max, checks),
      z.transform((text) => text || null),
    ),
  );

/** A format check for a phone number that callers are told; "" passes. */
export const phoneNumber = z.regex(/^(?:(?:[^\d]*\d){7,20}[^\d]*)?$/, "Must be a phone number with all its digits, such as 617 555 0100");

export const Email = z.string("Is required").check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email("Must be a valid email address"));

/** ISO 8601 in UTC. */
export const Instant = z.iso.datetime();

export const PageQuery = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
  cursor: z.optional(z.string().check(z.maxLength(2048))),
});

/** 204: no body. */
export const Nothing = z.void();
