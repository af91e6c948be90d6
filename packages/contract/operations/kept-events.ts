import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { VoiceProviderType } from "../voice/voice-providers.ts";

/** report: a call as its own client told it; summary: one written by another automation; project: a change that the totals did not understand. */
export const KeptEventSource = z.enum([...VoiceProviderType.options, "report", "summary", "project"]);
export type KeptEventSource = z.infer<typeof KeptEventSource>;

/** An event that could not be processed and is kept. What it says is shown to nobody. */
export const KeptEvent = z.object({
  id: z.string(),
  /** null: it concerns no tenant. */
  tenantId: z.nullable(Id),
  from: KeptEventSource,
  /** A code or the kind of error, of the last try. */
  reason: z.string(),
  at: Instant,
  /** Of the event as it came. */
  bytes: z.int(),
  /** How often it was tried again since. */
  tries: z.int(),
  /** null: it is not tried again by itself. */
  nextTryAt: z.nullable(Instant),
  /** Whether an administrator can have it tried again. */
  replayable: z.boolean(),
});
export type KeptEvent = z.infer<typeof KeptEvent>;

export const keptEvents = routes({
  listKeptEvents: {
    method: "GET",
    path: "/api/admin/kept-events",
    auth: "system_admin",
    summary: "Events of all tenants that could not be processed and are kept, newest first, without what they say",
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
    summary: "Have a kept event processed again, within about a minute",
    params: z.object({ tenantId: Id, id: Id }),
    response: KeptEvent,
  },
});
