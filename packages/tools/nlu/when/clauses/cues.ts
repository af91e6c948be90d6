/**
 * `wish`: the caller says when to come. `reason`: why, or something else. `cannot`: what is said before it or after it does not suit.
 * `not`: what is named in it does not suit. `agreed`: what is said before it suits. `end`: of a clause.
 */
export type CueKind = "wish" | "reason" | "cannot" | "not" | "agreed" | "end";
/** The first that matches counts. In a `not`, the group is what does not suit; without one it is what follows. */
export type CueSources = readonly (readonly [kind: CueKind, ...sources: string[]])[];
export type Cue = { kind: CueKind; words: string; named?: string | undefined };

type CompiledCues = readonly (readonly [CueKind, RegExp])[];
export const compileCues = (sources: CueSources): CompiledCues =>
  sources.map(([kind, ...all]) => [kind, new RegExp(`(?:${all.join("|")})(?= |$)`, "y")]);

/** What begins or ends a clause at this place of the text. */
export function cueAt(cues: CompiledCues, text: string, at: number): Cue | undefined {
  for (const [kind, pattern] of cues) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { kind, words: match[0], named: match.slice(1).find((one) => one !== undefined) };
  }
  return undefined;
}
