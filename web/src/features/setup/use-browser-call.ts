import { testCalls, tenantCalls } from "@vitaline/contract";
import { useState } from "react";
import { explain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { readKeyForTestCall } from "../api-keys/keys/regenerate.ts";
import { type Choice, isYesOrNo, type Open, openAfter } from "./caller-answer.ts";
import { AgentFailure, askAsAgent, recordedAs, type Platform, type Spoken } from "./platform-agent.ts";

/** `said`: what the user typed as the caller. `note`: of this page, about what it made of it. Without `asked`, nothing was sent. */
export type Turn = {
  count: number;
  said?: string | undefined;
  note?: string | undefined;
  asked?: Spoken & { name: string; values: Record<string, unknown> };
};
type Tool = { name: string; values: Record<string, unknown> };
type Typed = { said: string; choice: Choice };
type BrowserCall = { callId: string; id: string; apiKey: string; turns: readonly Turn[]; open?: Open | undefined; isOver: boolean };

const sentenceFor = (error: unknown): string => (error instanceof AgentFailure ? error.message : explain(error));

/** The key and what was said stay in this state only. */
export const useBrowserCall = (platform: Platform, tenantId: string) => {
  const [current, setCurrent] = useState<BrowserCall>();
  const refresh = useRefresh();
  const begin = useInlineAction(async () => {
    const apiKey = await readKeyForTestCall();
    const started = await call(testCalls.startTestCall, { body: { platform: recordedAs(platform) } });
    setCurrent({ ...started, apiKey, turns: [], isOver: false });
  });
  const ask = async ({ name, values }: Tool, typed?: Typed): Promise<void> => {
    if (!current) return;
    const count = current.turns.length + 1;
    const { apiKey, callId } = current;
    const spoken = await askAsAgent(platform, apiKey, { tenantId, callId, count, name, values });
    const choice = typed?.choice;
    const open = choice?.kind === "tool" ? openAfter(current.open, choice, spoken.speech) : undefined;
    const note = isYesOrNo(spoken.speech) ? choice?.note : undefined;
    const turn: Turn = { count, said: typed?.said, note, asked: { ...spoken, name, values } };
    setCurrent((now) => now && { ...now, turns: [...now.turns, turn], open });
  };
  const use = useInlineAction((name: string, values: Record<string, unknown>) => ask({ name, values }), sentenceFor);
  const say = useInlineAction(async (typed: Typed, onSent: () => void) => {
    const { said, choice } = typed;
    if (choice.kind === "tool") await ask(choice, typed);
    else setCurrent((now) => now && { ...now, turns: [...now.turns, { count: now.turns.length + 1, said, note: choice.note }] });
    onSent();
  }, sentenceFor);
  const end = useInlineAction(async () => {
    if (!current) return;
    await call(testCalls.endTestCall, { body: { platform: recordedAs(platform), callId: current.callId } });
    setCurrent({ ...current, apiKey: "", isOver: true });
    await refresh(tenantCalls.listCalls);
  });
  return { current, begin, use, say, end };
};
