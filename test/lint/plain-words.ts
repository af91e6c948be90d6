/** Phrases that this project does not use, and the usual way to say it. packages/README.md has the tone. */
export const banned: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bwho(m)?ever\b/i, "name the actor: the caller, an administrator, any client"],
  [/\b(no|some|every)body\b/i, "name the actor, or say no one, someone, everyone"],
  [/\bwhatever\b/i, "say any, or name it"],
  [/\banew\b/i, "say again"],
  [/\bg(ive|ives|ave|iving) way\b/i, "say what yields to what"],
  [/\b(of|for|by|to|from|with|in|on|without) which no\b/i, "split the sentence"],
  [/\bof which\b/i, "split the sentence, or say whose"],
  [/\b(is|are|was|were) to be had\b/i, "say is available"],
  [/\b(there|where)(of|from|upon|in|by)\b/i, "say it in everyday English"],
  [/\b(hence|thence|lest|henceforth|heretofore)\b/i, "say so, or in case"],
  [/\bas it were\b/i, "leave it out"],
];

/** Only in comments: sentences whose subject is a clause. */
export const bannedInComments: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bWhat (is|are|was|were|has|have|had)\b/, "use a noun"],
  [/\bwho (is|are|was|were) (it|there)\b/i, "name the actor"],
];

/** Why a text is refused; undefined when it reads well. */
export const refusal = (text: string, phrases: typeof banned): string | undefined => {
  const hit = phrases.map(([phrase, instead]) => [phrase.exec(text)?.[0], instead] as const).find(([found]) => found !== undefined);
  return hit && `"${hit[0]}": ${hit[1]}.`;
};
