import type { Vapi } from "@vapi-ai/server-sdk";
import type { Exchange } from "./request.ts";

/** What a tool answered: the line to say, and what was found for a model to go on with. */
export type ToolReply = { ok: boolean; speech: string; found: unknown; ms: number };
export type Ending = { endedReason: Vapi.ServerMessageEndOfCallReportEndedReason; summary: string; success: boolean; transferred: boolean };

/** A call through a voice platform, as its scripted model drives it. Every request made for it stands in `exchanges`. */
export type PhoneCall = {
  callId: string;
  exchanges: readonly Exchange[];
  ring(): Promise<void>;
  pickUp(): Promise<void>;
  say(who: "patient" | "assistant", text: string): void;
  useTool(name: string, args: object): Promise<ToolReply>;
  transfer(): Promise<void>;
  hangUp(ending: Ending): Promise<void>;
};
