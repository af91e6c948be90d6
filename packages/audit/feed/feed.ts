import { keys, shards, type AuditRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { readLog, type Log } from "../log/read-log.ts";

export const feedSeconds = 90 * 86_400;
/** Users' actions have their own partitions, so that reading them does not depend on the volume of agents' actions. */
const groups = ["people", "others"] as const;
type Group = (typeof groups)[number];

/** The last character of an id is random, so it spreads rows evenly. */
export const feedKey = ({ id, at, actorKind }: AuditRow) =>
  keys.feed(at.slice(0, 7), actorKind === "user" ? "people" : "others", String((id.codePointAt(id.length - 1) ?? 0) % shards.length), id);

const patientResources: ReadonlySet<string> = new Set(["Patient", "Appointment", "Call", "Lead", "Coverage", "Communication"]);
const isOfPatient = ({ category, resourceType }: AuditRow): boolean => category === "patient_access" || patientResources.has(resourceType);

/** The row as a reader of all tenants may see it: without ids of patients and calls. */
export const redactPatient = ({ callKey: _callKey, patients: _patients, ...row }: AuditRow): AuditRow =>
  isOfPatient(row) ? { ...row, resourceId: undefined } : row;

/** The row as the feed stores it for 90 days. Only details of configuration changes are included. */
export const feedRow = (row: AuditRow): AuditRow => ({
  ...redactPatient(row),
  detail: row.category === "configuration_change" && !isOfPatient(row) ? row.detail : undefined,
  expiresAt: Math.floor(Date.parse(row.at) / 1000) + feedSeconds,
});

export const feedPartitions = (month: string, of: readonly Group[] = groups): string[] =>
  of.flatMap((group) => shards.map((shard) => keys.partitions.feed(month, group, shard)));

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

/** The newest rows of the feed. Eight Queries in one round trip, plus one round trip for each further month. */
export const latestEntries = (ctx: PlatformContext, limit: number): Promise<AuditRow[]> => newest(ctx, limit);

/** The newest rows of users. Four Queries in one round trip, plus one round trip for each further month. */
export const latestUserEntries = (ctx: PlatformContext, limit: number): Promise<AuditRow[]> => newest(ctx, limit, ["people"]);
