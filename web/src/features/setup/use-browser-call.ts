import { testCalls, tenantCalls } from "@vitaline/contract";
import { useState } from "react";
import { explain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { readKey } from "../api-keys/keys/regenerate.ts";
import { AgentFailure, askAsAgent, recordedAs, type Platform, type Spoken } from "./platform-agent.ts";

type Turn = Spoken & { count: number; name: string; values: Record<string, unknown> };
type BrowserCall = { callId: string; id: string; apiKey: string; turns: readonly Turn[]; isOver: boolean };

const sentenceFor = (error: unknown): string => (error instanceof AgentFailure ? error.message : explain(error));

/** The key and what was said stay in this state only. */
export const useBrowserCall = (platform: Platform, tenantId: string) => {
  const [current, setCurrent] = useState<BrowserCall>();
  const refresh = useRefresh();
  const begin = useInlineAction(async () => {
    const apiKey = await readKey();
    const started = await call(testCalls.startTestCall, { body: { platform: recordedAs(platform) } });
    setCurrent({ ...started, apiKey, turns: [], isOver: false });
  });
  const use = useInlineAction(async (name: string, values: Record<string, unknown>) => {
    if (!current) return;
    const count = current.turns.length + 1;
    const { apiKey, callId } = current;
    const spoken = await askAsAgent(platform, apiKey, { tenantId, callId, count, name, values });
    setCurrent((now) => now && { ...now, turns: [...now.turns, { ...spoken, count, name, values }] });
  }, sentenceFor);
  const end = useInlineAction(async () => {
    if (!current) return;
    await call(testCalls.endTestCall, { body: { platform: recordedAs(platform), callId: current.callId } });
    setCurrent({ ...current, apiKey: "", isOver: true });
    await refresh(tenantCalls.listCalls);
  });
  return { current, begin, use, end };
};
