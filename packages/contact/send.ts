import type { ContactForm } from "@vitaline/contract";
import { networkOf, newId } from "@vitaline/core";
import { countWithinHour, create, keys, type Audit, type Write } from "@vitaline/store";
import type { ContactContext } from "@vitaline/store/scoped.ts";
import { sealFields, type ContactFields } from "./contact-messages.ts";
import { mailMessage, retrySeconds, supportAddress } from "./mail.ts";

type Received = { received: true };

/**
 * Stores a visitor's message, sealed, and mails it to support; a failed mail is retried later. A message with the honeypot field gets
 * the same answer, but is not stored. AppError `too_many_requests`, `unavailable`.
 */
export async function sendContactMessage(ctx: ContactContext, { website, ...fields }: ContactForm): Promise<Received> {
  // The visitor's own limit first, so that one visitor cannot use up the common one.
  await countMessage(ctx, "contact", networkOf(ctx.clientAddress));
  await countMessage(ctx, "contactFromAll", "all");
  if (website) {
    ctx.log("info", "contactMessage.automated", { entity: "contactMessage" });
    return { received: true };
  }
  return storeAndMail(ctx, fields, (resourceId) => ({
    category: "api_call",
    action: "contact.create",
    resourceType: "ContactMessage",
    resourceId,
  }));
}

/**
 * The same for a tenant, with its own limit; `audit` is written to the tenant's log in the same transaction as the message, and
 * `alongside`.
 */
export async function sendTenantMessage(
  ctx: ContactContext,
  tenantId: string,
  fields: ContactFields,
  audit: Audit,
  alongside: Write[] = [],
): Promise<Received> {
  await countTenantMessage(ctx, tenantId);
  return sendCounted(ctx, tenantId, fields, audit, alongside);
}

/** AppError `too_many_requests`. */
export const countTenantMessage = (ctx: ContactContext, tenantId: string): Promise<void> => countMessage(ctx, "contactOfTenant", tenantId);

/** A tenant's message that countTenantMessage has counted. */
export async function sendCounted(
  ctx: ContactContext,
  tenantId: string,
  fields: ContactFields,
  audit: Audit,
  alongside: Write[],
): Promise<Received> {
  const inTenant = { ...ctx, platform: ctx.platform.inTenant(tenantId) };
  return storeAndMail(inTenant, fields, (contactMessage) => ({ ...audit, detail: { ...audit.detail, contactMessage } }), alongside);
}

async function storeAndMail(
  ctx: ContactContext,
  fields: ContactFields,
  auditOf: (messageId: string) => Audit,
  alongside: Write[] = [],
): Promise<Received> {
  const now = ctx.clock();
  const id = newId(now.getTime());
  const at = now.toISOString();
  const month = at.slice(0, 7);
  const expiresAt = Math.floor(now.getTime() / 1000) + retrySeconds;
  await ctx.platform.commit(
    [
      create(keys.contactMessage(month, id), { id, at, sealed: await sealFields(fields) }),
      ...(supportAddress() === undefined ? [] : [create(keys.unmailedContact(id), { id, month, expiresAt })]),
      ...alongside,
    ],
    auditOf(id),
  );
  await mailMessage(ctx, { id, month }, fields);
  return { received: true };
}

/** An hour: from one network, from all visitors, and from one tenant. */
const maxMessages = { contact: 5, contactFromAll: 200, contactOfTenant: 5 } as const;

/** AppError `too_many_requests` if the limit of this hour is used up. */
async function countMessage(ctx: ContactContext, kind: keyof typeof maxMessages, subject: string): Promise<void> {
  const keyOf = (hour: string) => keys.throttle(kind, subject, hour);
  const refusal = "Too many messages in the last hour. Please try again later, or call us.";
  await countWithinHour(ctx.platform, keyOf, { limit: maxMessages[kind], now: ctx.clock(), refusal });
}
