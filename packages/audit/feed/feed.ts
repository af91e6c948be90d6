import { keys, type AuditRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { readLog, type Log } from "../log/read-log.ts";

export const feedSeconds = 90 * 86_400;
const shards = ["0", "1", "2", "3"] as const;
/** People's acts lie apart: however much agents do meanwhile, they are found at once. */
const groups = ["people", "others"] as const;
type Group = (typeof groups)[number];

/** Where a row lies in the feed: the last letter of an id is a matter of chance. */
export const feedKey = ({ id, at, actorKind }: AuditRow) =>
  keys.feed(at.slice(0, 7), actorKind === "user" ? "people" : "others", String((id.codePointAt(id.length - 1) ?? 0) % shards.length), id);

/** What may name a patient, or one call of one. */
const ofPatients: ReadonlySet<string> = new Set(["Patient", "Appointment", "Call", "Lead", "Coverage", "Communication"]);
const isOfPatient = ({ category, resourceType }: AuditRow): boolean => category === "patient_access" || ofPatients.has(resourceType);

/** The row as whoever looks at all tenants at once may see it: with ids of the platform's own things, never of a patient, a call or what a tenant noted of one. */
export const withoutPatient = ({ callKey: _callKey, ...row }: AuditRow): AuditRow =>
  isOfPatient(row) ? { ...row, resourceId: undefined } : row;

/** The row as the feed holds it for 90 days: who did what to what kind of thing. */
export const feedRow = (row: AuditRow): AuditRow => ({
  ...withoutPatient(row),
  detail: row.category === "configuration_change" && !isOfPatient(row) ? row.detail : undefined,
  expiresAt: Math.floor(Date.parse(row.at) / 1000) + feedSeconds,
});

export const feedPartitions = (month: string, of: readonly Group[] = groups): string[] =>
  of.flatMap((group) => shards.map((shard) => keys.partitions.feed(month, group, shard)));

/** The feed as a log that pages are read from: all of it, or what people did. */
export const feedLog = (ctx: PlatformContext, of?: readonly Group[]): Log => ({
  name: "PLATFORM#FEED",
  partitionsOf: (month) => feedPartitions(month, of),
  query: (partition, range) => ctx.platform.query(partition, range),
});

const newest = async (ctx: PlatformContext, limit: number, of?: readonly Group[]): Promise<AuditRow[]> => {
  const until = ctx.clock();
  const from = new Date(until.getTime() - feedSeconds * 1000);
  return (await readLog(feedLog(ctx, of), { from, until, limit })).rows;
};

/** The newest rows of the feed. One round trip, eight Queries; one more for each month that it must go back to find so many. */
export const latest = (ctx: PlatformContext, limit: number): Promise<AuditRow[]> => newest(ctx, limit);

/** The newest of what people did. One round trip, four Queries; one more for each month, as above. */
export const latestOfPeople = (ctx: PlatformContext, limit: number): Promise<AuditRow[]> => newest(ctx, limit, ["people"]);
