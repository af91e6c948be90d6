import { newId, type Actor } from "@vitaline/core";
import { keys, update, type Audit, type AuditRow, type DeliveryRow, type TenantContext, type WebhookHealthRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { newDeliveryRun } from "./attempt.ts";
import { deliverDue } from "./deliver-due.ts";
import { dueFieldsAt } from "./delivery.ts";
import { enqueueDeliveries, type WebhookEvent } from "./enqueue.ts";
import { startReceiver } from "./receiver.fixture.ts";

const systemActor: Actor = { kind: "system", id: "deliver" };
export const everything = [
  "call.completed",
  "appointment.booked",
  "appointment.changed",
  "appointment.cancelled",
  "lead.captured",
  "task.created",
  "task.updated",
  "routing.logged",
] as const;

export async function startWebhooks() {
  const aws: TestAws = await startTestAws();
  const receiver = await startReceiver();
  for (const [index, id] of aws.tenants.entries()) await addTenantRow(aws.platform(), id, `Clinic ${index}`);
  const platform = (): PlatformContext => aws.platform(systemActor);
  const inTenant = (which: 0 | 1): TenantContext => ({ ...aws.inTenant(aws.tenants[which], systemActor), requestId: newId() });
  const deliveries = async (which: 0 | 1): Promise<DeliveryRow[]> => {
    const ctx = inTenant(which);
    return (await ctx.store.query<DeliveryRow>(keys.tenantPartitions.deliveries(ctx.tenantId))).rows;
  };
  return {
    aws,
    receiver,
    platform,
    inTenant,
    deliveries,
    /** Writes an audit row and returns the event that the stream makes of it. */
    async told(which: 0 | 1, type: WebhookEvent["type"], audit: Audit): Promise<WebhookEvent> {
      const ctx = inTenant(which);
      await ctx.store.commit([], audit);
      const month = ctx.clock().toISOString().slice(0, 7);
      const partition = keys.tenantPartitions.audit(ctx.tenantId, month, audit.category);
      const [row] = (await ctx.store.query<AuditRow>(partition, { descending: true, limit: 1 })).rows;
      if (!row) throw new Error("There is no audit row");
      const source = { kind: "audit" as const, month, category: audit.category, id: row.id };
      return { tenantId: ctx.tenantId, type, at: row.at, sendAt: row.at, source };
    },
    note: (...events: WebhookEvent[]) => enqueueDeliveries(platform(), events),
    async run(which: 0 | 1, ctx = inTenant(which)): Promise<void> {
      const run = newDeliveryRun(2000);
      while (await deliverDue(ctx, run));
    },
    /** Makes a delivery and its webhook due now. */
    async makeDue(which: 0 | 1, id: string): Promise<void> {
      const ctx = inTenant(which);
      const past = new Date(Date.now() - 1000).toISOString();
      const row = await ctx.store.writeUnaudited<DeliveryRow>(
        update<DeliveryRow>(keys.delivery(id), { set: dueFieldsAt(ctx.tenantId, id, past) }),
      );
      await ctx.store.writeUnaudited(
        update<WebhookHealthRow>(keys.webhookHealth(row?.webhookId ?? ""), { remove: ["nextTryAt"] }, { exists: true }),
      );
    },
    async close() {
      await receiver.close();
      await aws.close();
    },
  };
}
export type Webhooks = Awaited<ReturnType<typeof startWebhooks>>;

export const bookingAudit = (detail: Record<string, string | boolean>, more: Partial<Audit> = {}): Audit => ({
  category: "patient_access",
  action: "tool.scheduleAppointment",
  resourceType: "Patient",
  resourceId: "patient-7",
  callKey: "c".repeat(40),
  ...more,
  detail: { tool: "scheduleAppointment", ms: 12, platform: "vapi", fhirProviderId: "f".repeat(26), ...detail },
});
