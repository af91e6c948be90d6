import type { ProviderAgent } from "@vitaline/contract";
import type { OutboundFetch } from "@vitaline/outbound";
import type { Connection } from "./request.ts";

/** `complete`: false where the platform has more agents than are listed here. */
export type AgentList = { agents: ProviderAgent[]; complete: boolean };

/**
 * Asks a platform which agents it has. AppError `voice_platform_auth`, `voice_platform_rate_limited` (with the time to
 * wait), `voice_platform_unavailable`, `voice_platform_invalid`, or `outbound_refused` for an address that may not be called.
 */
export type ListAgents = (connection: Connection, fetch: OutboundFetch, extent: Extent) => Promise<AgentList>;

/** How much of a list is read: that many agents a page, that many pages. */
export type Extent = { pageSize: number; maxPages: number };
export const wholeList: Extent = { pageSize: 100, maxPages: 10 };
/** Whether the platform takes the key is told by one agent as well as by all. */
export const oneAgent: Extent = { pageSize: 1, maxPages: 1 };

type Listed = { id: string; name?: string | null | undefined; isActive?: boolean };

const maxAgents = 1000;
const longest = 200;
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Only what a screen shows: prompts, tools and secrets of the platform's record end here. An id that no form takes names nothing. */
const asAgents = ({ id, name, isActive = true }: Listed): ProviderAgent[] => {
  if (id === "" || id.length > longest || id !== id.replace(unseen, "").trim()) return [];
  const shown = (name ?? "").replace(unseen, " ").trim().slice(0, longest).toWellFormed();
  return [{ id, name: shown || id, description: null, isActive }];
};

/**
 * One page after the other, until `next` is undefined, a page brings nothing new, all pages of the extent or a thousand agents are there.
 * `page` gets undefined first, then each page's `next`.
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
    for (const agent of read.listed.flatMap(asAgents)) agents.set(agent.id, agent);
    next = read.next;
    if (next === undefined || agents.size === before || agents.size >= maxAgents) break;
  }
  return { agents: [...agents.values()].slice(0, maxAgents), complete: next === undefined && agents.size <= maxAgents };
}
