import * as z from "zod/mini";
import { type ListAgents, readPages } from "../transport/agent-pages.ts";
import { requestJson } from "../transport/request.ts";

const Assistants = z.array(
  z.object({ id: z.string(), name: z.optional(z.nullable(z.string())), createdAt: z.iso.datetime({ offset: true }) }),
);

/**
 * `GET /assistant`: a bare array, newest first, without a cursor. The next page starts at the oldest `createdAt` of this one,
 * inclusive, because several assistants may share an instant. Source: Vapi server SDK 2.0.1 ListAssistantsRequest.
 */
export const listAgents: ListAgents = (connection, fetch, extent) =>
  readPages<string>(extent, async (createdAtLe) => {
    const query = new URLSearchParams({ limit: String(extent.pageSize), ...(createdAtLe !== undefined && { createdAtLe }) });
    const url = `${connection.baseUrl ?? "https://api.vapi.ai"}/assistant?${query}`;
    const assistants = await requestJson(connection, fetch, url, Assistants, {
      headers: { Authorization: `Bearer ${connection.apiKey}` },
    });
    const oldest = assistants
      .map(({ createdAt }) => createdAt)
      .reduce((a, b) => (Date.parse(b) < Date.parse(a) ? b : a), "9999-12-31T00:00:00Z");
    return { listed: assistants, next: assistants.length < extent.pageSize ? undefined : oldest };
  });
