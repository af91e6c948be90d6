import type { ToolAnswer } from "./run.ts";

/** For platforms that leave the transfer and the end of a call to us. Neither throws: the answer tells the model what came of it. */
export type CallControl = {
  /** Puts the call through, if the routing tool's answer names who takes it. `args`: of that tool. Returns the answer for the model. */
  transfer(answer: ToolAnswer, args: unknown): Promise<ToolAnswer>;
  hangUp(): Promise<ToolAnswer>;
};

export const whenToEnd =
  "Ends the call. Only after the caller needs nothing more and you have said goodbye, or after an emergency line was said.";
