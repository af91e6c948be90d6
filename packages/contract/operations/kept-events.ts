import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { VoiceProviderType } from "../voice/voice-providers.ts";

/** report: a call report of its own client. summary: of another automation. project: a change of the table that this version cannot read. */
export const KeptEventSource = z.enum([...VoiceProviderType.options, "report", "summary", "project"]);
export type KeptEventSource = z.infer<typeof KeptEventSource>;

/** An event that could not be processed. Its content is not shown. */
export const KeptEvent = z.object({
  id: z.string(),
  /** null: of no tenant. */
  tenantId: z.nullable(Id),
  from: KeptEventSource,
  /** A code or error name, of the last attempt. */
  reason: z.string(),
  at: Instant,
  /** Of the original event. */
  bytes: z.int(),
  /** Retries so far. */
  tries: z.int(),
  /** null: no more automatic retries. Those of `project` have no time: the projection tries them again every 15 minutes. */
  nextTryAt: z.nullable(Instant),
  /** An administrator can replay it. */
  replayable: z.boolean(),
});
export type KeptEvent = z.infer<typeof KeptEvent>;

export const keptEvents = routes({
  listKeptEvents: {
    method: "GET",
    path: "/api/admin/kept-events",
    auth: "system_admin",
    summary: "Unprocessed events of all tenants, newest first, without their content",
    query: z.object({
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 50),
      cursor: z.optional(z.string().check(z.maxLength(2048))),
    }),
    response: z.array(KeptEvent),
  },
  replayKeptEvent: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/kept-events/{id}/replay",
    auth: "system_admin",
    summary: "Retry an unprocessed event within about a minute",
    params: z.object({ tenantId: Id, id: Id }),
    response: KeptEvent,
  },
});
