import { sha256In, dayMs } from "@vitaline/core";
import { allRows, keys, rowsOf, update, type CalendarEntryRow, type OfficeRow, type TenantStore } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Only booked appointments are in an office's index, so `start` is set. */
export type ShownEntry = CalendarEntryRow & { start: string };

const shownBackMs = 30 * dayMs;
const maxShown = 2000;
const perPage = 500;

/** Sorted by time, from 30 days ago on. Beyond `most` entries, upcoming ones are kept before past ones, the nearest first. */
export async function readEntries(
  store: Pick<TenantStore, "query">,
  office: { tenantId: string; officeId: string },
  now: Date,
  most: number = maxShown,
): Promise<ShownEntry[]> {
  const partition = keys.tenantPartitions.calendar(office.tenantId, office.officeId);
  const at = now.toISOString();
  const entries: ShownEntry[] = [];
  for (const range of [{ from: at }, { from: new Date(now.getTime() - shownBackMs).toISOString(), to: at, descending: true }]) {
    if (entries.length >= most) break;
    for await (const row of rowsOf<ShownEntry>(store, partition, { index: "gsi1", limit: perPage, ...range })) {
      entries.push(row);
      if (entries.length === most) break;
    }
  }
  return entries.toSorted((a, b) => ((a.gsi1sk ?? "") < (b.gsi1sk ?? "") ? -1 : 1));
}

/** `appointmentId` is the id in FHIR provider `providerId`. */
export type CalendarChange = { tenantId: string; providerId: string; appointmentId: string; at: string } & (
  | {
      kind: "booked";
      /** Absent if the call belonged to no single office. */
      officeId?: string;
      start: string;
      end?: string;
    }
  | { kind: "cancelled"; start?: string }
);

/** Longer than calendars show an entry. */
const retentionSeconds = 60 * 86_400;
const expiryOf = (start: string): number => Math.floor(Date.parse(start) / 1000) + retentionSeconds;

/** One write per change. A cancellation wins, in any order and with any repetition. */
export async function recordCalendarChanges(ctx: PlatformContext, changes: readonly CalendarChange[]): Promise<void> {
  for (const change of changes) {
    const write = writeOf(change.kind === "booked" ? { ...change, officeId: change.officeId ?? (await onlyOffice(ctx, change)) } : change);
    if (write) await ctx.platform.inTenant(change.tenantId).writeUnaudited(write);
  }
}

/** Only if the tenant has exactly one active office. */
const onlyOffice = async (ctx: PlatformContext, { tenantId }: CalendarChange): Promise<string | undefined> => {
  const offices = await allRows<OfficeRow>(ctx.platform, keys.tenantPartitions.config(tenantId), { prefix: "OFFICE#" });
  const [only, ...others] = offices.filter(({ isActive }) => isActive);
  return others.length === 0 ? only?.id : undefined;
};

function writeOf(change: CalendarChange) {
  const { tenantId, providerId, appointmentId, at } = change;
  const id = sha256In("calendar-entry", providerId, appointmentId).slice(0, 40);
  const key = keys.calendarEntry(id);
  if (change.kind === "cancelled") {
    const { start = at } = change;
    return update<CalendarEntryRow>(key, { set: { status: "cancelled", changedAt: at }, setOnce: { id, expiresAt: expiryOf(start) } });
  }
  const { officeId, start, end } = change;
  if (officeId === undefined) return undefined;
  const place = { gsi1pk: keys.tenantPartitions.calendar(tenantId, officeId), gsi1sk: `${start}#${id}` };
  return update<CalendarEntryRow>(key, {
    set: { start, end, officeId, expiresAt: expiryOf(start), ...place },
    setOnce: { id, status: "booked", changedAt: at },
  });
}
