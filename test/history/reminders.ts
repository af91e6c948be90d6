import { outgoingKey, type OutgoingRow, remove, rowsOf, shardsFrom } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { remindShare } from "../../functions/events/remind/handler.ts";
import type { DemoClock } from "./clock.ts";
import { asSchedule } from "./contexts.ts";
import type { Job } from "./job.ts";
import type { Records } from "./records.ts";

/** A reminder is planned, sent, and looked at again once its receipt should be there. */
const maxRounds = 5;

/**
 * Sends what the past had to send, each at its time: reminders, and messages that waited for an office to open. The rest is removed:
 * today's record system does not know these appointments, so events/remind could send nothing.
 */
export async function sendDue(
  job: Job,
  clock: DemoClock,
  records: Records,
  { firstMs, startMs }: { firstMs: number; startMs: number },
): Promise<void> {
  const { platform, tenant } = asSchedule(job, clock, "remind");
  const own = async (): Promise<OutgoingRow[]> => {
    // Rows that have expired by now had not by then
    clock.set(firstMs);
    const found: OutgoingRow[] = [];
    for (const shard of shardsFrom(0))
      for await (const row of rowsOf<OutgoingRow>(platform.platform, partitions.outgoing(shard), {}))
        if (row.tenantId === job.clinic.id) found.push(row);
    return found.toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
  };
  for (let round = 0; round < maxRounds; round++) {
    const due = (await own()).filter(({ dueAt }) => Date.parse(dueAt) < startMs);
    for (const row of due) {
      clock.set(Date.parse(row.dueAt) + 1000);
      if (row.kind === "reminder" && !(await records.has("Appointment", row.appointmentId)))
        await tenant.store.writeUnaudited(remove(outgoingKey(row)));
      else {
        const { tenantId, kind, id, dueAt } = row;
        await remindShare(platform, () => tenant, { startedAt: new Date().toISOString(), rows: [{ tenantId, kind, id, dueAt }] });
      }
    }
    if (due.length === 0) break;
  }
  for (const row of await own())
    if (row.kind === "reminder" || Date.parse(row.dueAt) < startMs) await tenant.store.writeUnaudited(remove(outgoingKey(row)));
}
