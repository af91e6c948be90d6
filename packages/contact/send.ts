import type { ContactForm } from "@vitaline/contract";
import { AppError, networkOf, newId } from "@vitaline/core";
import { type Audit, countWithin, create, keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { type ContactFields, sealFields } from "./contact-messages.ts";
import { mailMessage, supportAddress } from "./mail.ts";

const windowSeconds = 3600;
/** In an hour: from one address, from all of them together, and from one tenant's people, who take none of the visitors'. */
const allowed = { contact: 5, contactFromAll: 200, contactOfTenant: 5 } as const;
type Budget = readonly [kind: keyof typeof allowed, subject: string];

/** Takes one of the messages that visitors have free this hour, before anything else is done. AppError `too_many_requests`. */
async function takeMessage(ctx: PlatformContext): Promise<void> {
  // One's own come first, so that whoever has none left takes none of everybody's.
  await take(ctx, ["contact", networkOf(ctx.clientAddress)]);
  await take(ctx, ["contactFromAll", "all"]);
}

/** Takes one of the messages that a tenant has free this hour. AppError `too_many_requests`. */
const takeTenantMessage = (ctx: PlatformContext, tenantId: string): Promise<void> => take(ctx, ["contactOfTenant", tenantId]);

async function take(ctx: PlatformContext, [kind, subject]: Budget): Promise<void> {
  const seconds = Math.floor(ctx.clock().getTime() / 1000);
  const end = seconds - (seconds % windowSeconds) + windowSeconds;
  const limits = { count: allowed[kind] };
  if (!(await countWithin(ctx.platform, keys.throttle(kind, subject, String(end)), { limits, expiresAt: end })))
    throw new AppError("too_many_requests", "Too many messages in the last hour. Please try again later, or call us.", {
      retryAfterSeconds: end - seconds,
    });
}

/** How long a mail that cannot be sent is tried again; the message itself stays. */
const retrySeconds = 7 * 86_400;

type Received = { received: true };

/**
 * Keeps a visitor's message, sealed, and mails it to support. Once this returns the message is kept, mailed or not; a program,
 * which fills the hidden field, hears the same and nothing is kept. AppError `too_many_requests`, `unavailable`.
 */
export async function sendContactMessage(ctx: PlatformContext, { website, ...fields }: ContactForm): Promise<Received> {
  await takeMessage(ctx);
  if (website) {
    ctx.log("info", "contact message by a program", { entity: "contactMessage" });
    return { received: true };
  }
  return keepAndMail(ctx, fields, (resourceId) => ({
    category: "api_call",
    action: "contact.create",
    resourceType: "ContactMessage",
    resourceId,
  }));
}

/**
 * The same for a tenant, whose messages are counted by themselves: `audit` says in its log what was asked, in the one transaction
 * that keeps the words. AppError `too_many_requests`, `unavailable`.
 */
export async function sendTenantMessage(ctx: PlatformContext, tenantId: string, fields: ContactFields, audit: Audit): Promise<Received> {
  await takeTenantMessage(ctx, tenantId);
  const inTenant = { ...ctx, platform: ctx.platform.inTenant(tenantId) };
  return keepAndMail(inTenant, fields, (contactMessage) => ({ ...audit, detail: { ...audit.detail, contactMessage } }));
}

async function keepAndMail(ctx: PlatformContext, fields: ContactFields, auditOf: (messageId: string) => Audit): Promise<Received> {
  const now = ctx.clock();
  const id = newId(now.getTime());
  const at = now.toISOString();
  const month = at.slice(0, 7);
  const expiresAt = Math.floor(now.getTime() / 1000) + retrySeconds;
  await ctx.platform.commit(
    [
      create(keys.contactMessage(month, id), { id, at, sealed: await sealFields(fields) }),
      ...(supportAddress() === undefined ? [] : [create(keys.unmailedContact(id), { id, month, expiresAt })]),
    ],
    auditOf(id),
  );
  await mailMessage(ctx, { id, month }, fields);
  return { received: true };
}
