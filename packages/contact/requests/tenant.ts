import { type NewRequest, type OperatorRequestKind, requestKindNames, type RequestReply, type TenantRequest } from "@vitaline/contract";
import { newId, notFound, awaitAllThenThrow } from "@vitaline/core";
import { create, keys, type OperatorRequestRow, type Page, retryOnStale, type TenantContext } from "@vitaline/store";
import type { ContactContext } from "@vitaline/store/scoped.ts";
import { sealFields } from "../contact-messages.ts";
import { countTenantMessage, sendCounted, sendTenantMessage } from "../send.ts";
import { asTenantRequest, listedAt, type SealedRequest, withAnswer } from "./row.ts";

const pageSize = 25;

/** A page of what the tenant asked for, newest first. One Query; a page of one kind may be short. */
export async function listRequests(
  ctx: TenantContext,
  { kind, limit = pageSize, cursor }: { kind?: OperatorRequestKind | undefined; limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<TenantRequest>> {
  const { rows, next } = await ctx.store.query<OperatorRequestRow>(keys.tenantPartitions.requests(ctx.tenantId), {
    descending: true,
    limit,
    cursor,
    where: kind === undefined ? undefined : (row) => row.kind === kind,
  });
  return { rows: await awaitAllThenThrow(rows.map(asTenantRequest)), next };
}

type Asker = { tenantId: string; tenantName: string; userId: string; firstName: string; lastName: string; email: string };

/**
 * Stores a request in the tenant's list and the operators', and mails it to support as a contact message, all audited in one
 * transaction. AppError `too_many_requests`.
 */
export async function createRequest(
  ctx: ContactContext,
  { tenantId, tenantName, userId, firstName, lastName, email }: Asker,
  { kind, message }: NewRequest,
): Promise<TenantRequest> {
  const now = ctx.clock();
  const sealed: SealedRequest = { message, name: `${firstName} ${lastName}`, email, tenantName, notes: [] };
  const row: OperatorRequestRow = {
    ...{ id: newId(now.getTime()), tenantId, at: now.toISOString() },
    ...{ kind, status: "open", requesterId: userId, sealed: await sealFields(sealed), answers: [], version: 1 },
  };
  await sendTenantMessage(
    ctx,
    tenantId,
    { firstName, lastName, email, company: tenantName, message, request: { kind, isReply: false } },
    {
      category: "configuration_change",
      action: kind === "record_system" ? "fhirProvider.request" : "operatorRequest.create",
      resourceType: "Tenant",
      resourceId: tenantId,
      detail: { operatorRequest: row.id, kind },
    },
    [create(keys.operatorRequest(row.id), row), create(listedAt(row), row)],
  );
  return asTenantRequest(row);
}

/**
 * Adds the organization's words to a request, which is open then, and mails them to support as a contact message, all audited in one
 * transaction. `ifMatch`: the version that the user saw. AppError `not_found`, `stale_version`, `not_doable`, `too_many_requests`.
 */
export async function replyToRequest(
  ctx: ContactContext,
  { tenantId, tenantName, userId, firstName, lastName, email }: Asker,
  requestId: string,
  { message, ifMatch }: RequestReply & { ifMatch?: number | undefined },
): Promise<TenantRequest> {
  const platform = ctx.platform.inTenant(tenantId);
  let counted: Promise<void> | undefined;
  const row = await retryOnStale(ifMatch, async () => {
    const before = await platform.get(keys.operatorRequest(requestId));
    if (!before) throw notFound();
    const answer = { at: ctx.clock().toISOString(), by: userId, status: "open", from: "organization" } as const;
    const { after, writes } = await withAnswer(before, { answer, by: `${firstName} ${lastName}`, note: message, ifMatch });
    await (counted ??= countTenantMessage(ctx, tenantId));
    await sendCounted(
      ctx,
      tenantId,
      {
        firstName,
        lastName,
        email,
        company: tenantName,
        message: `${replyTo(before)}\n\n${message}`,
        request: { kind: before.kind, isReply: true },
      },
      {
        category: "configuration_change",
        action: "operatorRequest.reply",
        resourceType: "OperatorRequest",
        resourceId: requestId,
        detail: { status: after.status, version: after.version },
      },
      writes,
    );
    return after;
  });
  return asTenantRequest(row);
}

const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
const replyTo = ({ kind, at }: OperatorRequestRow): string =>
  `Reply to the request “${requestKindNames[kind]}” of ${dayFormat.format(new Date(at))}:`;
