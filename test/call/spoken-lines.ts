const wordsPerSecond = 2.5;

export type Speaker = "patient" | "assistant";
export type SpokenLine = { who: Speaker; text: string; from: number; to: number };

/** Spoken lines with the times that speech would take, since a script runs at once. */
export type SpokenLines = {
  readonly lines: readonly SpokenLine[];
  say(who: Speaker, text: string): void;
  pass(ms: number): void;
  seconds(): number;
  asText(names: Record<Speaker, string>): string;
};

export function spokenLines(): SpokenLines {
  const lines: SpokenLine[] = [];
  let seconds = 0;
  return {
    lines,
    say(who, text) {
      const from = seconds;
      seconds += text.split(/\s+/).filter(Boolean).length / wordsPerSecond;
      lines.push({ who, text, from, to: seconds });
    },
    pass: (ms) => void (seconds += ms / 1000),
    seconds: () => seconds,
    asText: (names) => lines.map(({ who, text }) => `${names[who]}: ${text}`).join("\n"),
  };
}
