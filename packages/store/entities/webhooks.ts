import type { DeliveryStatus, DeliveryType, WebhookEventType } from "@vitaline/contract";
import { partitions, tenantPartitions } from "./partitions.ts";
import type { AuditCategory } from "./audit.ts";
import { tenantEntity, type Leased, type SealedRow } from "./entity.ts";

/** A tenant's subscription to events. `disabledReason`: the platform disabled it. */
export type WebhookRow = {
  id: string;
  url: string;
  events: WebhookEventType[];
  description?: string;
  includeContact: boolean;
  isActive: boolean;
  disabledReason?: "gone" | "failing";
  createdAt: string;
  version: number;
};
export const webhook = tenantEntity<WebhookRow, [webhookId: string]>({
  entity: "webhook",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, webhookId) => ({ pk: tenantPartitions.webhooks(tenantId), sk: `WEBHOOK#${webhookId}` }),
});

/** The number of a tenant's webhooks, which is limited. */
export type WebhookCountRow = { count: number };
export const webhookCount = tenantEntity<WebhookCountRow, []>({
  entity: "webhookCount",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId) => ({ pk: tenantPartitions.webhooks(tenantId), sk: "COUNT" }),
});

/** `failures`: consecutive. Nothing is sent before `nextTryAt`. Both are set only with `failingSince`. */
export type WebhookHealthRow = { webhookId: string; failingSince?: string; failures?: number; nextTryAt?: string };
/** Exists as long as its webhook. */
export const webhookHealth = tenantEntity<WebhookHealthRow, [webhookId: string]>({
  entity: "webhookHealth",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (tenantId, webhookId) => ({ pk: tenantPartitions.webhooks(tenantId), sk: `HEALTH#${webhookId}` }),
});

/** The signing secret; the previous one signs as well until `until`. */
export type SealedWebhookRow = SealedRow & { previous?: { ciphertext: string; until: string } };
export const sealedWebhook = tenantEntity<SealedWebhookRow, [webhookId: string]>({
  entity: "sealedWebhook",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, webhookId) => ({ pk: tenantPartitions.vault(tenantId), sk: `WEBHOOK#${webhookId}` }),
});

/** A tenant with webhooks, now or in the past. The owner of the lease delivers for it. */
export type WebhookTenantRow = Leased & { tenantId: string };
export const webhookTenant = tenantEntity<WebhookTenantRow, []>({
  entity: "webhookTenant",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  isOutsideTenantPartition: true,
  primaryKey: (tenantId) => ({ pk: partitions.webhookTenants, sk: tenantId }),
});

/** The rows that an event's payload is built from when it is first sent. `taskId`: of the task that an audit row is about, or of its second. */
export type DeliverySource =
  | { kind: "call"; callKey: string }
  | { kind: "task"; taskId: string; version: number; callKey?: string | undefined }
  | { kind: "audit"; month: string; category: AuditCategory; id: string; taskId?: string };
/** An event for a webhook; in gsi1 while it is pending. */
export type DeliveryRow = {
  id: string;
  webhookId: string;
  type: DeliveryType;
  /** When the event happened. */
  at: string;
  status: DeliveryStatus;
  /** Attempts since it was created or last replayed. */
  tries: number;
  /** The last attempts. */
  attempts: { at: string; ms: number; httpStatus?: number; code?: string }[];
  /** Why it failed. */
  code?: string;
  /** Set while it is pending. */
  nextAttemptAt?: string;
  source?: DeliverySource;
  /** The exact payload, once built. */
  sealed?: string;
  /** The payload contains names and phone numbers. */
  hasContact?: boolean;
  version: number;
  expiresAt: number;
  gsi1pk?: string;
  gsi1sk?: string;
};
export const delivery = tenantEntity<DeliveryRow, [id: string]>({
  entity: "delivery",
  writeKind: "bookkeeping",
  lifetime: "expires",
  gsi1: ["dueDeliveries"],
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.deliveries(tenantId), sk: id }),
});
