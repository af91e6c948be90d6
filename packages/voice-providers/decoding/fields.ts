import { sanitizeAnalysis, sanitizeCost, sanitizeInstant, sanitizeScore, sanitizeSeconds, maxCallSeconds } from "@vitaline/calls";
import { PlatformCallId } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import * as z from "zod/mini";
import { timingSafeEqual } from "node:crypto";

/** Compares in constant time, so that a signature cannot be guessed byte by byte. */
export const isEqual = (expected: Buffer, given: Buffer): boolean => expected.length === given.length && timingSafeEqual(expected, given);

/** An unexpected value counts as absent, so that one bad field does not lose the rest of the body. */
export const lenient = <S extends z.ZodMiniType>(schema: S) => z.catch(z.optional(schema), undefined);

export const id = lenient(z.string().check(z.minLength(1), z.maxLength(200)));
export const text = lenient(z.string().check(z.trim(), z.minLength(1)));
/** An enumeration value, in lower case. */
export const enumWord = lenient(z.string().check(z.trim(), z.toLowerCase(), z.minLength(1)));
/** Not trimmed. */
export const untrimmedText = lenient(z.string().check(z.minLength(1)));
export const amount = lenient(z.pipe(z.number(), z.transform(sanitizeCost)));
export const score = lenient(z.pipe(z.number(), z.transform(sanitizeScore)));
export const seconds = lenient(z.pipe(z.number(), z.transform(sanitizeSeconds)));
export const milliseconds = lenient(z.number().check(z.gte(0), z.lte(maxCallSeconds * 1000)));
/** ISO 8601 with any offset or milliseconds since 1970; output in UTC. */
export const instant = lenient(
  z.pipe(
    z.union([z.iso.datetime({ offset: true }), z.number()]),
    z.transform((at) => sanitizeInstant(typeof at === "number" ? at : Date.parse(at))),
  ),
);
/** Seconds since 1970; output ISO 8601 in UTC. */
export const unixInstant = lenient(
  z.pipe(
    z.number(),
    z.transform((at) => sanitizeInstant(at * 1000)),
  ),
);
export const flag = lenient(z.boolean());
/** Custom analysis fields of the tenant. */
export const record = lenient(z.pipe(z.record(z.string(), z.unknown()), z.transform(sanitizeAnalysis)));
export const unknown = z.optional(z.unknown());
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => lenient(z.object(shape));
export const list = <S extends z.ZodMiniType>(element: S) => lenient(z.array(element));

/** undefined if `given` is absent. AppError `invalid_request` for an invalid id: ignoring it would lose the call's data silently. */
export function readCallId(field: string, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  const { data, error } = z.safeParse(PlatformCallId, given);
  if (data !== undefined) return data;
  throw new AppError("invalid_request", "The call id in this message is not valid.", {
    fields: { [field]: error?.issues[0]?.message ?? "Is not an id" },
  });
}

/**
 * "unknown", which is no tool, for a name that is not a valid function name. Source: the function name rule of OpenAI and Retell,
 * the strictest.
 */
export const readToolName = (name = ""): string => (/^[\w-]{1,64}$/.test(name) ? name : "unknown");
