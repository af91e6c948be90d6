import { newId } from "@vitaline/core";
import { openTable, type Row } from "../store/table.ts";
import type { Login, Site } from "./site.ts";

type Planted = { action: string; secondsAgo?: number; category?: string } & Record<string, unknown>;

export const tenantIdOf = async (site: Site, login: Login): Promise<string> =>
  (await site.api<{ tenantId: string }>("GET", "/api/auth/me", { token: await site.tokenFor(login) })).json.tenantId;

export async function plantEvents(site: Site, tenantId: string, events: readonly Planted[]): Promise<void> {
  const table = openTable(site.dataDir);
  for (const { secondsAgo = 60, category = "api_call", ...event } of events) {
    const madeMs = Date.now() - secondsAgo * 1000;
    const at = new Date(madeMs).toISOString();
    const id = newId(madeMs);
    const row: Row = {
      pk: `TENANT#${tenantId}#AUDIT#${at.slice(0, 7)}#${category}`,
      sk: id,
      id,
      at,
      tenantId,
      category,
      actorKind: "user",
      actorId: "planted",
      resourceType: "Planted",
      success: true,
      clientAddress: "198.51.100.1",
      requestId: `request-${id}`,
      expiresAt: Math.floor(Date.now() / 1000) + 1000 * 86_400,
      ...event,
    };
    await table.put(row);
  }
  table.close();
}
