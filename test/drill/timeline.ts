type Action = { atMs: number; run: () => void | Promise<void> };

/** Moves a clock from action to action; nothing waits for real time. */
export function openTimeline() {
  const startedMs = Date.now();
  let nowMs = startedMs;
  const actions: Action[] = [];
  const next = (): Action | undefined => {
    actions.sort((a, b) => a.atMs - b.atMs);
    return actions.shift();
  };
  return {
    clock: (): number => nowMs,
    elapsedMs: (): number => nowMs - startedMs,
    after(delayMs: number, run: Action["run"]): void {
      actions.push({ atMs: nowMs + delayMs, run });
    },
    async runUntil(isOver: () => boolean): Promise<void> {
      for (let action = next(); action && !isOver(); action = next()) {
        nowMs = Math.max(nowMs, action.atMs);
        await action.run();
      }
    },
  };
}
export type Timeline = ReturnType<typeof openTimeline>;
