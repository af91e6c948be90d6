import { believedAnalysis, believedCost, believedInstant, believedSeconds, longestCallSeconds } from "@vitaline/calls";
import * as z from "zod/mini";
import { PlatformCallId } from "@vitaline/contract";
import { AppError } from "@vitaline/core";

/**
 * Fields of a foreign body: what is not as expected counts as absent, so that one odd field never costs the rest.
 */
export const lenient = <S extends z.ZodMiniType>(schema: S) => z.catch(z.optional(schema), undefined);

export const id = lenient(z.string().check(z.minLength(1), z.maxLength(200)));
/** Blank text is absent too. */
export const text = lenient(z.string().check(z.trim(), z.minLength(1)));
/** A platform's word for something, in lower case. */
export const word = lenient(z.string().check(z.trim(), z.toLowerCase(), z.minLength(1)));
/** Given back as it came. */
export const verbatim = lenient(z.string().check(z.minLength(1)));
export const amount = lenient(z.pipe(z.number(), z.transform(believedCost)));
export const seconds = lenient(z.pipe(z.number(), z.transform(believedSeconds)));
export const milliseconds = lenient(z.number().check(z.gte(0), z.lte(longestCallSeconds * 1000)));
/** ISO 8601 with any offset, or milliseconds since 1970; in UTC afterwards. */
export const instant = lenient(
  z.pipe(
    z.union([z.iso.datetime({ offset: true }), z.number()]),
    z.transform((at) => believedInstant(typeof at === "number" ? at : Date.parse(at))),
  ),
);
/** Seconds since 1970; ISO 8601 in UTC afterwards. */
export const unixInstant = lenient(
  z.pipe(
    z.number(),
    z.transform((at) => believedInstant(at * 1000)),
  ),
);
export const flag = lenient(z.boolean());
/** The tenant's own fields, of any shape that a call's analysis may have. */
export const record = lenient(z.pipe(z.record(z.string(), z.unknown()), z.transform(believedAnalysis)));
export const unknown = z.optional(z.unknown());
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => lenient(z.object(shape));
export const list = <S extends z.ZodMiniType>(element: S) => lenient(z.array(element));

/** Said where a request names no call: outside one there is nobody whose identity could be checked, so nothing runs. */
export const noCallSpeech = "I can't tell which call this request belongs to, so I can't do that right now.";

/**
 * A call's id as its platform gives it in `field`; undefined where there is none. AppError `invalid_request` for one that is
 * given and cannot be an id, because what is said of that call would be lost without a word.
 */
export function readCallId(field: string, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  const { data, error } = z.safeParse(PlatformCallId, given);
  if (data !== undefined) return data;
  throw new AppError("invalid_request", "The message names its call by what cannot be an id.", {
    fields: { [field]: error?.issues[0]?.message ?? "Is not an id" },
  });
}

/**
 * A tool's name as a platform sends it. What cannot be a function's name on any of them is called "unknown", which no tool is.
 * Source: OpenAI's and Retell's rule for function names, the strictest.
 */
export const wireName = (name = ""): string => (/^[\w-]{1,64}$/.test(name) ? name : "unknown");
