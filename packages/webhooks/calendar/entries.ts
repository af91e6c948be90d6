import { allRows, type CalendarEntryRow, keys, type OfficeRow, rowsOf, type TenantStore, update } from "@vitaline/store";
import { digest } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** What lies in an office's calendar was made, so its start is known. */
export type ShownEntry = CalendarEntryRow & { start: string };

const shownBackMs = 30 * 86_400_000;
const mostShown = 2000;
const perPage = 500;

/**
 * What a calendar shows of an office, by time: from a month ago on. Where that is more than fits, what is still to come goes before what
 * was, the nearer first.
 */
export async function entriesOf(
  store: Pick<TenantStore, "query">,
  office: { tenantId: string; officeId: string },
  now: Date,
  most: number = mostShown,
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

/** What became of an appointment: it was made in an office, or given up. `appointmentId` is that of the record system `providerId`. */
export type CalendarChange = { tenantId: string; providerId: string; appointmentId: string; at: string } & (
  | { kind: "made"; /** Absent: the call was not one office's. */ officeId?: string; start: string; end?: string }
  | { kind: "givenUp"; start?: string }
);

/** After its beginning: longer than calendars show it. */
const keptSeconds = 60 * 86_400;
const expiryOf = (start: string): number => Math.floor(Date.parse(start) / 1000) + keptSeconds;

/**
 * Keeps what calendars show, one write each. That an appointment was given up is the last word of it, whichever of the two is heard
 * first and however often.
 */
export async function noteCalendar(ctx: PlatformContext, changes: readonly CalendarChange[]): Promise<void> {
  for (const change of changes) {
    const write = writeOf(change.kind === "made" ? { ...change, officeId: change.officeId ?? (await onlyOffice(ctx, change)) } : change);
    if (write) await ctx.platform.inTenant(change.tenantId).note(write);
  }
}

/** The office of a tenant that has no other: whatever it makes is made there. */
const onlyOffice = async (ctx: PlatformContext, { tenantId }: CalendarChange): Promise<string | undefined> => {
  const offices = await allRows<OfficeRow>(ctx.platform, keys.tenantPartitions.config(tenantId), { prefix: "OFFICE#" });
  const [only, ...others] = offices.filter(({ isActive }) => isActive);
  return others.length === 0 ? only?.id : undefined;
};

function writeOf(change: CalendarChange) {
  const { tenantId, providerId, appointmentId, at } = change;
  const id = digest("calendar-entry", providerId, appointmentId).slice(0, 40);
  const key = keys.calendarEntry(id);
  if (change.kind === "givenUp") {
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
