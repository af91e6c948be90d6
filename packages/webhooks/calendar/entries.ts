import { keys, rowsOf, type CalendarEntryRow, type TenantStore } from "@vitaline/store";

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
