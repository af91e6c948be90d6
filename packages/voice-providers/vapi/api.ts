import * as z from "zod/mini";
import { readPages, type ListAgents } from "../transport/agent-pages.ts";
import { ask } from "../transport/request.ts";

const Assistants = z.array(
  z.object({ id: z.string(), name: z.optional(z.nullable(z.string())), createdAt: z.iso.datetime({ offset: true }) }),
);

/**
 * Vapi's assistants: `GET /assistant`, a bare array, newest first, without a cursor. The next page is asked by the oldest
 * `createdAt` of this one, inclusive, as several may be of one instant. Source: Vapi server SDK 2.0.1 ListAssistantsRequest.
 */
export const listVapiAgents: ListAgents = (connection, fetch, extent) =>
  readPages<string>(extent, async (createdAtLe) => {
    const query = new URLSearchParams({ limit: String(extent.pageSize), ...(createdAtLe !== undefined && { createdAtLe }) });
    const assistants = await ask(connection, fetch, `${connection.baseUrl ?? "https://api.vapi.ai"}/assistant?${query}`, Assistants, {
      headers: { Authorization: `Bearer ${connection.apiKey}` },
    });
    const oldest = assistants
      .map(({ createdAt }) => createdAt)
      .reduce((a, b) => (Date.parse(b) < Date.parse(a) ? b : a), "9999-12-31T00:00:00Z");
    return { listed: assistants, next: assistants.length < extent.pageSize ? undefined : oldest };
  });
