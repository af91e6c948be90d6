import { isDeeperThan } from "@vitaline/core";
import * as z from "zod/mini";

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const deepest = 50;

/** Arguments as models send them: an object, an object as JSON text (also twice over), or nothing. Undefined for what is none of these, or nested deeper than fifty. */
export function parseArgs(args: unknown): Record<string, unknown> | undefined {
  if (args === undefined || args === null || args === "") return {};
  const value = typeof args === "string" ? parseJson(args) : args;
  if (typeof value === "string" && value !== args) return parseArgs(value);
  const object = z.safeParse(z.record(z.string(), z.unknown()), value);
  return object.success && !isDeeperThan(object.data, deepest) ? object.data : undefined;
}

const text = (max: number) =>
  z.pipe(
    z.union([z.string(), z.number()], "is missing"),
    z.pipe(z.transform(String), z.string().check(z.trim(), z.maxLength(max, `is longer than ${max} characters`))),
  );

/** A word or number the caller said; a number is as good as its digits. */
export const said = (max = 120) => z.pipe(text(max), z.string().check(z.minLength(1, "is missing")));

/** The same as `said`, but may be missing: "" and null mean that too. */
export const maybeSaid = (max = 120) =>
  z.pipe(
    z.nullish(text(max)),
    z.transform((value) => value || undefined),
  );

/** One of these words in whatever case, or nothing. */
export const maybeOneOf = <Word extends string>(words: readonly Word[]) => {
  const word = z.pipe(
    maybeSaid(30),
    z.transform((text: string | undefined, issues): Word | undefined => {
      const found = words.find((one) => one === text?.toLowerCase());
      if (text !== undefined && found === undefined)
        issues.issues.push({ code: "custom", input: text, message: `one of ${words.join(", ")}` });
      return found;
    }),
  );
  // Its JSON Schema: models and forms are to choose one.
  z.globalRegistry.add(word, { type: "string", enum: [...words], anyOf: undefined });
  return word;
};
