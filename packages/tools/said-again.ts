import type { Run } from "./define-tool.ts";

const repeatMs = 60_000;

/** Whether the same words are a repetition, as of a platform that has got no answer: whoever says them later means it anew. */
export const isRepetition = ({ ctx }: Run, askedAtMs: number): boolean => ctx.clock().getTime() - askedAtMs < repeatMs;
