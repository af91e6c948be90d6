/** Words a second of somebody who speaks without hurry. */
const wordsPerSecond = 2.5;

/** The time that a call would take if its lines were spoken: a script says them all at once. Seconds from the start of the call. */
export type SpokenClock = { speak(text: string): { from: number; to: number }; pass(ms: number): void; seconds(): number };

export function spokenClock(): SpokenClock {
  let seconds = 0;
  return {
    speak(text) {
      const from = seconds;
      seconds += text.split(/\s+/).filter(Boolean).length / wordsPerSecond;
      return { from, to: seconds };
    },
    pass: (ms) => void (seconds += ms / 1000),
    seconds: () => seconds,
  };
}
