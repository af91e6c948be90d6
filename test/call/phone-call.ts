import { CannotCall } from "./demo-file.ts";
import type { Exchange, Post } from "./platforms/request.ts";
import type { Speaker } from "./spoken-lines.ts";

export type ToolReply = { ok: boolean; speech: string; found: unknown; ms: number };
/** `by`: silence, the caller said no more, and the platform ended the call; error, the platform failed in the middle of it. */
export type Ending = { summary: string; success: boolean; by?: "silence" | "error" };

export type Account = {
  webhookUrl: string;
  webhookSecret: string;
  baseUrl?: string | undefined;
  sandboxKey?: string | undefined;
  agentId?: string | undefined;
};

export type Connection = {
  origin: string;
  apiKey: string;
  caller: string;
  called: string;
  account?: Account | undefined;
  mcpUrl?: string | undefined;
  /** The number's own agent: with one, no server is asked who answers, and `ring` can be left out. */
  fixedAgentId?: string | undefined;
  /** By default the platform makes one up. */
  callId?: string | undefined;
  /** By default over HTTP. */
  post?: Post | undefined;
};

/** A call on one voice platform. `exchanges` holds every request made for it. */
export type PhoneCall = {
  callId: string;
  exchanges: readonly Exchange[];
  ring(): Promise<void>;
  pickUp(): Promise<void>;
  say(who: Speaker, text: string): void;
  useTool(name: string, args: object): Promise<ToolReply>;
  transfer(number: string): Promise<void>;
  /** Sends the platform's end report; returns its reason for the end. */
  hangUp(ending: Ending): Promise<string>;
};

/** Throws CannotCall when the options do not name it. */
export function accountOf({ account }: Connection, platform: string): Account {
  if (!account)
    throw new CannotCall(
      `${platform} signs its requests: add --address and --secret, the webhook address and secret of the tenant's voice provider.`,
    );
  return account;
}
