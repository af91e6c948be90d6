import type { ProviderAgent } from "@vitaline/contract";
import type { OutboundFetch } from "@vitaline/outbound";
import type { Connection } from "./request.ts";

/** `complete` is false if the platform has more agents than listed. */
export type AgentList = { agents: ProviderAgent[]; complete: boolean };

/**
 * AppError `voice_platform_auth`, `voice_platform_rate_limited` (with retryAfterSeconds), `voice_platform_unavailable`,
 * `voice_platform_invalid`, or `outbound_refused` for an address that may not be called.
 */
export type ListAgents = (connection: Connection, fetch: OutboundFetch, extent: Extent) => Promise<AgentList>;

export type Extent = { pageSize: number; maxPages: number };
export const wholeList: Extent = { pageSize: 100, maxPages: 10 };
/** Enough to check the key. */
export const oneAgent: Extent = { pageSize: 1, maxPages: 1 };

type Listed = { id: string; name?: string | null | undefined; isActive?: boolean };

const maxAgents = 1000;
const maxLength = 200;
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Keeps only displayed fields. Empty for an id that an assignment form would not accept. */
const toProviderAgents = ({ id, name, isActive = true }: Listed): ProviderAgent[] => {
  if (id === "" || id.length > maxLength || id !== id.replace(invisibleCharacters, "").trim()) return [];
  const shown = (name ?? "").replace(invisibleCharacters, " ").trim().slice(0, maxLength).toWellFormed();
  return [{ id, name: shown || id, description: null, isActive }];
};

/**
 * Reads until `next` is undefined, a page brings no new agent, or `maxPages` or 1,000 agents are reached. `page` first gets
 * undefined, then each page's `next`.
 */
export async function readPages<Next>(
  { maxPages }: Extent,
  page: (next: Next | undefined) => Promise<{ listed: Listed[]; next: Next | undefined }>,
): Promise<AgentList> {
  const agents = new Map<string, ProviderAgent>();
  let next: Next | undefined;
  for (let count = 0; count < maxPages; count++) {
    const before = agents.size;
    const read = await page(next);
    for (const agent of read.listed.flatMap(toProviderAgents)) agents.set(agent.id, agent);
    next = read.next;
    if (next === undefined || agents.size === before || agents.size >= maxAgents) break;
  }
  return { agents: [...agents.values()].slice(0, maxAgents), complete: next === undefined && agents.size <= maxAgents };
}
