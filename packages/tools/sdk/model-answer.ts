import { maxModelCharacters } from "@vitaline/contract";
import * as z from "zod/mini";
import type { ToolAnswer } from "./run.ts";

/** Longer than any sentence of a tool. */
const maxSpeechCharacters = 1000;

/** `isPartial`: lists in `data` were cut. */
export type ModelAnswer = { speech: string; data?: unknown; isPartial?: true };

/** Without a line break: see Vapi's `result`. */
const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();

/**
 * What a platform puts before the agent's model: the sentence, and the data as far as it fits. `beside`: what else its answer holds
 * there. Which part of an answer that is, by platform: packages/voice-providers/README.md.
 */
export function modelAnswer({ speech, output, fields }: ToolAnswer, beside: object = {}): ModelAnswer {
  const data = output ?? (fields && { fields });
  const spoken = oneLine(speech).slice(0, maxSpeechCharacters);
  if (data === undefined || data === null) return { speech: spoken };
  const size = (one: ModelAnswer): number => JSON.stringify({ ...beside, ...one }).length;
  if (size({ speech: spoken, data }) <= maxModelCharacters) return { speech: spoken, data };
  for (let rest: unknown = data; ;) {
    const shorter = withoutLast(rest);
    if (shorter === undefined) return { speech: spoken };
    const answer: ModelAnswer = { speech: spoken, data: shorter, isPartial: true };
    if (size(answer) <= maxModelCharacters) return answer;
    rest = shorter;
  }
}

type Path = (string | number)[];
type List = { path: Path; items: unknown[]; characters: number };

/** Without the last item of the longest list, or half of it where that is much too long. undefined if there is none. */
function withoutLast(data: unknown): unknown {
  const [longest] = listsIn(data, []).toSorted((a, b) => b.characters - a.characters);
  if (!longest) return undefined;
  const kept = longest.characters > 4 * maxModelCharacters ? Math.ceil(longest.items.length / 2) : longest.items.length - 1;
  return replaceAt(data, longest.path, longest.items.slice(0, kept));
}

const Fields = z.record(z.string(), z.unknown());

function listsIn(value: unknown, path: Path): List[] {
  if (Array.isArray(value)) {
    const own = value.length > 1 ? [{ path, items: value as unknown[], characters: JSON.stringify(value).length }] : [];
    return [...own, ...value.flatMap((item, index) => listsIn(item, [...path, index]))];
  }
  const fields = z.safeParse(Fields, value).data;
  return Object.entries(fields ?? {}).flatMap(([name, field]) => listsIn(field, [...path, name]));
}

function replaceAt(value: unknown, [step, ...rest]: Path, replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? replaceAt(item, rest, replacement) : item));
  const fields = z.parse(Fields, value);
  return { ...fields, [step]: replaceAt(fields[step], rest, replacement) };
}
