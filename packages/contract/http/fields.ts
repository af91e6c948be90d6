import * as z from "zod/mini";

/** Our own ids: lower-case ULIDs, so they can stand in keys, paths and ARNs without escaping. */
export const Id = z.string().check(z.regex(/^[0-9a-z]{26}$/, "Must be an id of this platform"));

/** Neither control characters nor what cannot be seen: marks of direction, zero width, halves of a pair. */
const visible = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** One line that a person typed: trimmed, 1 to `max` characters, no control characters. */
export const line = (max: number, message = "Is required") =>
  z
    .string(message)
    .check(
      z.trim(),
      z.minLength(1, message),
      z.maxLength(max, `Must be at most ${max} characters`),
      z.regex(visible, "Must not contain control or invisible characters"),
    );

const blankableLine = (max: number) =>
  z.nullable(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(max, `Must be at most ${max} characters`),
        z.regex(visible, "Must not contain control or invisible characters"),
      ),
  );

/** Optional text: "", null and absent all mean absent. */
export const optionalLine = (max: number) =>
  z.optional(
    z.pipe(
      blankableLine(max),
      z.transform((text) => text || undefined),
    ),
  );

/** Optional text in a change: absent leaves it as it is; "" and null, which both become null, take it away. */
export const changedLine = (max: number) =>
  z.optional(
    z.pipe(
      blankableLine(max),
      z.transform((text) => text || null),
    ),
  );

export const Email = z.string("Is required").check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email("Must be a valid email address"));

/** Instants in JSON: ISO 8601 in UTC. */
export const Instant = z.iso.datetime();

export const PageQuery = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
  cursor: z.optional(z.string().check(z.maxLength(2048))),
});

/** A 204 answers with no body. */
export const Nothing = z.void();
