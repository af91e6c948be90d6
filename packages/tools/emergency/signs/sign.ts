import type { Language } from "@vitaline/contract";

export type EmergencyKind = "medical" | "self_harm" | "poisoning";

/**
 * One sign of an emergency and the phrases that tell of it, in lower case, without accents and apostrophes. A phrase is a row of places;
 * each place holds one word, a few words, or alternatives.
 *
 * | In a phrase | Means |
 * |---|---|
 * | `chest|left arm` | either |
 * | `a + b` | b directly after a |
 * | `a .. b` | b after a, with up to four words in between, none of them a negation |
 * | `a & b` | both, near each other, in any order |
 * | `bleed*` | words that begin so |
 * | `own?` | the word may be missing |
 * | `<hurt>` | a group of `../word-groups.ts` |
 */
export type Sign = { sign: string; kind: EmergencyKind } & Record<Language, readonly string[]>;
