import type { Exchange } from "./request.ts";
import type { Speaker } from "./spoken-lines.ts";

/** What a tool answered: the line to say, and what was found for a model to go on with. */
export type ToolReply = { ok: boolean; speech: string; found: unknown; ms: number };
/** What came of a call in the eyes of the platform that judges it. */
export type Ending = { summary: string; success: boolean };

/** A tenant's account at a voice platform, as the platform itself knows it. */
export type Account = {
  /** Where it sends what it signs. */
  webhookUrl: string;
  webhookSecret: string;
  /** Its own API; a sandbox's, where calls are placed. */
  baseUrl?: string | undefined;
  /** Its key at the sandbox, which tells accounts apart by it. */
  sandboxKey?: string | undefined;
  /** The agent that the number belongs to. */
  agentId?: string | undefined;
};

/** Between whom a call is, and how its platform reaches the tenant. */
export type Line = {
  origin: string;
  apiKey: string;
  caller: string;
  called: string;
  account?: Account | undefined;
  /** Where the tenant's tools are for clients of MCP. */
  mcpUrl?: string | undefined;
};

/** A call through a voice platform, as its scripted model drives it. Every request made for it stands in `exchanges`. */
export type PhoneCall = {
  callId: string;
  exchanges: readonly Exchange[];
  ring(): Promise<void>;
  pickUp(): Promise<void>;
  say(who: Speaker, text: string): void;
  useTool(name: string, args: object): Promise<ToolReply>;
  /** Puts the caller through to a number. */
  transfer(number: string): Promise<void>;
  /** Tells what the platform tells at the end; answers its word for why the call ended. */
  hangUp(ending: Ending): Promise<string>;
};
