import type { OperatorRequest, OperatorRequestKind, OperatorRequestStatus, RequestAnswer } from "@vitaline/contract";
import { newId, notFound, awaitAllThenThrow } from "@vitaline/core";
import { create, keys, type OperatorRequestRow, type Page, retryOnStale } from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { sealFields } from "../contact-messages.ts";
import { mailAnswer, type MailToAsker, retrySeconds } from "../mail.ts";
import { asOperatorRequest, withAnswer } from "./row.ts";

const pageSize = 25;

/** A page of all tenants' open or closed requests, newest first; audited. One Query. */
export async function listOperatorRequests(
  ctx: ScopedContext<"contact">,
  { closed, limit = pageSize, cursor }: { closed: boolean; limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<OperatorRequest>> {
  const partition = keys.partitions.requests(closed ? "closed" : "open");
  const { rows, next } = await ctx.platform.query<OperatorRequestRow>(partition, { descending: true, limit, cursor });
  const requests = await awaitAllThenThrow(rows.map(asOperatorRequest));
  await ctx.platform.commit([], {
    category: "data_query",
    action: "operatorRequest.read",
    resourceType: "OperatorRequest",
    detail: { rows: requests.length },
  });
  return { rows: requests, next };
}

/**
 * Changes a request's status and keeps every note; who asked gets a mail, retried until it is sent. Audited in the tenant's log.
 * `ifMatch`: the version that the operator saw. AppError `not_found`, `stale_version`, `not_doable`.
 */
export async function answerRequest(
  ctx: ScopedContext<"contact">,
  { tenantId, requestId }: { tenantId: string; requestId: string },
  { status, note }: RequestAnswer,
  { by, ifMatch }: { by: string; ifMatch?: number | undefined },
): Promise<OperatorRequest> {
  const here: ScopedContext<"contact"> = { ...ctx, platform: ctx.platform.inTenant(tenantId) };
  const { row, mailId, mail } = await retryOnStale(ifMatch, async () => {
    const before = await here.platform.get(keys.operatorRequest(requestId));
    if (!before) throw notFound();
    const now = ctx.clock();
    const answer = { at: now.toISOString(), by: ctx.actor.id, status };
    const { after, sealed, writes } = await withAnswer(before, { answer, by, note, ifMatch });
    const id = newId(now.getTime());
    const toAsker = mailOf(here, before.kind, { status, note }, sealed.email);
    const unmailed = { id, sealed: await sealFields(toAsker), expiresAt: Math.floor(now.getTime() / 1000) + retrySeconds };
    await here.platform.commit([...writes, create(keys.unmailedContact(id), unmailed)], {
      category: "configuration_change",
      action: "operatorRequest.change",
      resourceType: "OperatorRequest",
      resourceId: requestId,
      detail: { status, version: after.version },
    });
    return { row: after, mailId: id, mail: toAsker };
  });
  await mailAnswer(here, mailId, mail);
  return asOperatorRequest(row);
}

const aboutKind: Record<OperatorRequestKind, string> = {
  record_system: "for a record system",
  voice_provider: "for a voice provider",
  api_keys: "about API keys",
  plan: "about your plan",
  policies: "about your rules and retention",
  other: "to us",
};
const statusWords: Record<OperatorRequestStatus, string> = {
  open: "open again",
  in_progress: "in progress",
  done: "done",
  declined: "declined",
};

const mailOf = (
  { origin }: ScopedContext<"contact">,
  kind: OperatorRequestKind,
  { status, note }: RequestAnswer,
  to: string,
): MailToAsker => ({
  to,
  subject: `Your request is ${statusWords[status]}`,
  text: [
    `Your request ${aboutKind[kind]} is ${statusWords[status]}.`,
    ...(note === undefined ? [] : ["", note]),
    "",
    "To reply, and for all requests of your organization:",
    `${origin}/tenant/settings/requests`,
  ].join("\n"),
});
