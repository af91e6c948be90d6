import type { ToolAnswer } from "@vitaline/tools";
import type { ToolRequest } from "../port.ts";

/** Retell cuts an answer off after so many characters. */
const mostCharacters = 15_000;
/** Nobody listens to more; six characters of JSON each at the very worst. */
const mostSpoken = 2000;

type RetellResult = { ok: true; speech: string; data?: unknown } | { ok: false; error: string; data?: unknown };

/**
 * The answer to a custom function, which the agent's model reads: what to say, as `error` when the tool could not do it, and
 * what was found or which arguments were wrong, as far as Retell takes it. Source: Retell's pages on custom functions.
 */
export function encodeResults({ refused }: ToolRequest, answers: readonly ToolAnswer[]): RetellResult {
  const [answer = { ok: false, speech: refused[0]?.speech ?? "I couldn't do that right now." }] = answers;
  const data = answer.output ?? (answer.fields && { fields: answer.fields });
  const whole = said(answer, data);
  if (fits(whole)) return whole;
  const spoken = said(answer);
  return fits(spoken) ? spoken : said({ ...answer, speech: answer.speech.slice(0, mostSpoken) });
}

const fits = (result: RetellResult): boolean => JSON.stringify(result).length <= mostCharacters;

const said = ({ ok, speech }: ToolAnswer, data?: unknown): RetellResult => ({
  ...(ok ? { ok, speech } : { ok, error: speech }),
  ...(data === undefined || data === null ? {} : { data }),
});
