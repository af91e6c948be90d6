import { isDeeperThan, parseJson } from "@vitaline/core";
import * as z from "zod/mini";

const maxDepth = 50;

/**
 * An object, JSON text of an object (also encoded twice), or nothing. undefined for anything else, or nested deeper than fifty levels.
 */
export function parseArguments(args: unknown): Record<string, unknown> | undefined {
  if (args === undefined || args === null || args === "") return {};
  const value = typeof args === "string" ? parseJson(args) : args;
  if (typeof value === "string" && value !== args) return parseArguments(value);
  const object = z.safeParse(z.record(z.string(), z.unknown()), value);
  return object.success && !isDeeperThan(object.data, maxDepth) ? object.data : undefined;
}

const text = (max: number) =>
  z.pipe(
    z.union([z.string(), z.number()], "is missing"),
    z.pipe(z.transform(String), z.string().check(z.trim(), z.maxLength(max, `is longer than ${max} characters`))),
  );

export const requiredText = (max = 120) => z.pipe(text(max), z.string().check(z.minLength(1, "is missing")));

/** "" and null count as missing. */
export const optionalText = (max = 120) =>
  z.pipe(
    z.nullish(text(max)),
    z.transform((value) => value || undefined),
  );

/** The id of a FHIR resource, also as "Slot/…". Some servers' ids are twice as long as FHIR allows. */
export const optionalResourceId = () => optionalText(160);

/** Case-insensitive. */
export const optionalEnum = <Word extends string>(words: readonly Word[]) => {
  const word = z.pipe(
    optionalText(30),
    z.transform((text: string | undefined, issues): Word | undefined => {
      const found = words.find((one) => one === text?.toLowerCase());
      if (text !== undefined && found === undefined)
        issues.issues.push({ code: "custom", input: text, message: `one of ${words.join(", ")}` });
      return found;
    }),
  );
  // JSON Schema for models and forms.
  z.globalRegistry.add(word, { type: "string", enum: [...words], anyOf: undefined });
  return word;
};
