import { reservations, usualQuota } from "../../infra/config/concurrency.ts";
import { usualFirewall } from "../../infra/config/settings.ts";
import { sizeOf } from "../../infra/config/functions.ts";
import type { Measured } from "./measure-calls.ts";
import { prices } from "./prices.ts";

/** Figures of a call by how the stream delivers its changes: see measureCalls. */
export type Figures = { alone: Measured; atOnce: Measured; tenantOfEach: Measured };

/** Assumptions, stated with the result. */
export const assumptions = {
  /** The busiest second over the mean. */
  peak: 4,
  /** The share of all calls that the largest tenant has. */
  largestTenant: 0.05,
  /** Seconds that an invocation takes. */
  voiceSeconds: 0.25,
  projectSeconds: 0.03,
  projectSecondsOfRecord: 0.015,
  archiveSeconds: 0.2,
  /** Of the reads that an invocation of voice makes, those of the EHR's row. */
  ehrRowReads: 1,
  /** The share of all calls that book a visit, which has a reminder. */
  bookings: 0.3,
  /** Calls a day of a tenant, which has a record system and a voice platform of its own. */
  callsOfTenant: 100,
  probeSeconds: 0.3,
  monthsKept: 12,
  daysOfMonth: 30.4,
} as const;

/** Sources: "Quotas in Amazon DynamoDB", "Lambda quotas", "HTTP API quotas". A partition is what one partition key can take. */
const limits = {
  partitionWrites: 1000,
  partitionReads: 3000,
  tableWrites: 40_000,
  partitionGb: 10,
  gatewayRequests: 500,
};
/** What functions/events/remind and functions/events/health hand out and do in a run, every five minutes. */
const schedules = {
  runSeconds: 300,
  reminders: { shares: 19, perShare: 300 },
  probes: { shares: 11, parallel: 8, reserveSeconds: 15 },
};
const windowSeconds = 1;
const firewallSeconds = 300;
const feedShards = 4;
const statsParts = 8;
const outgoingShards = 4;

export type Load = { name: string; value: number; limit: number; unit: string; change: string };
export type Model = {
  perSecond: number;
  shards: number;
  recordsOfBatch: number;
  projectionUnits: number;
  projectionInvocations: number;
  writeUnits: number;
  loads: Load[];
  costs: Record<string, number>;
  month: number;
};

/** What `calls` a day ask of each part at the busiest second, and cost a month. */
export function modelOf(calls: number, { alone, atOnce, tenantOfEach }: Figures): Model {
  const mean = calls / 86_400;
  const perSecond = mean * assumptions.peak;
  const storedGb = (calls * assumptions.daysOfMonth * assumptions.monthsKept * atOnce.storedBytes) / 1e9;

  // A shard per partition of the table: by traffic, and by size.
  const traffic = (perSecond * (atOnce.request.writeUnits + tenantOfEach.projection.writeUnits)) / limits.partitionWrites;
  const shards = Math.max(4, Math.ceil(traffic), Math.ceil(storedGb / limits.partitionGb));
  const inBatch = (callsPerSecond: number): number =>
    Math.min(100, Math.max(1, (callsPerSecond * alone.projectedRecords * windowSeconds) / shards));
  const recordsOfBatch = inBatch(mean);

  // Beside what each call's own rows take, a batch writes its position and the platform's totals, whether it has one record or a hundred.
  const perBatch = (alone.projection.writeUnits - tenantOfEach.projection.writeUnits) / recordsOfBatch;
  const projectionUnits = tenantOfEach.projection.writeUnits + perBatch;
  const projectionInvocations = alone.projectedRecords / recordsOfBatch;
  const archiveUnits = tenantOfEach.archive.writeUnits + (alone.archive.writeUnits - tenantOfEach.archive.writeUnits) / recordsOfBatch;
  const writeUnits = atOnce.request.writeUnits + projectionUnits + archiveUnits;
  const batches = (perSecond * alone.projectedRecords) / inBatch(perSecond);
  const secondsOf = (records: number): number => assumptions.projectSeconds + records * assumptions.projectSecondsOfRecord;

  const share = assumptions.largestTenant;
  const reserved = reservations(usualQuota, {});
  const { request } = atOnce;
  const loads: Load[] = [
    {
      ...{ name: "Executions of voice", value: perSecond * request.invocations * assumptions.voiceSeconds, limit: reserved.voice ?? 0 },
      ...{ unit: "at once", change: "raise the account's Lambda quota and accountConcurrency" },
    },
    {
      ...{ name: "Executions of events/project", value: Math.min(shards, batches * secondsOf(inBatch(perSecond))) },
      ...{
        limit: reserved["events/project"] ?? 0,
        unit: "at once",
        change: "raise accountConcurrency and the batching window of the projection",
      },
    },
    {
      ...{ name: "Reminders due in five minutes", value: perSecond * assumptions.bookings * schedules.runSeconds },
      ...{ limit: schedules.reminders.shares * schedules.reminders.perShare, unit: "in a run" },
      change: "more shares of events/remind, and the executions for them",
    },
    {
      ...{ name: "Probes of connections in five minutes", value: (calls / assumptions.callsOfTenant) * 2, unit: "in a run" },
      limit:
        (schedules.probes.shares * schedules.probes.parallel * (sizeOf("events/health").timeoutSeconds - schedules.probes.reserveSeconds)) /
        assumptions.probeSeconds,
      change: "more shares of events/health, and the executions for them",
    },
    {
      ...{ name: "Requests at the HTTP API", value: perSecond * request.invocations, limit: limits.gatewayRequests },
      ...{ unit: "a second", change: "raise throttling of the stage, and from 10,000 the quota of the region" },
    },
    {
      ...{ name: "Requests of the largest tenant in five minutes", value: perSecond * share * request.invocations * firewallSeconds },
      ...{ limit: usualFirewall.requestsPerKey, unit: "with a key", change: "raise requestsPerKey of the stage's firewall" },
    },
    {
      ...{ name: "Writes of the table", value: perSecond * writeUnits, limit: limits.tableWrites },
      ...{ unit: "units/s", change: "raise the table's quota of write units" },
    },
    partition("PLATFORM#STATS, one of eight parts", (batches * 4) / statsParts, "more parts of the platform's totals"),
    partition("PLATFORM#FEED, one of four shards", (perSecond * 3) / feedShards, "more shards of the feed"),
    partition("PLATFORM#OUTGOING, one of four shards", (perSecond * 4) / outgoingShards, "more shards of outgoing messages"),
    {
      ...{ name: "PLATFORM#FHIR, rows of EHRs", value: perSecond * (request.invocations - 4) * assumptions.ehrRowReads },
      ...{ limit: limits.partitionReads, unit: "units/s", change: "a partition for each EHR's row" },
    },
    partition(
      "STATS of the largest tenant",
      Math.min(batches, perSecond * share * alone.projectedRecords) * 4,
      "split a tenant's totals by shard of the stream",
    ),
    partition("gsi1 CALLS of the largest tenant", perSecond * share * 6, "a partition of CALLS for each month and tenant shard"),
    partition("AUDIT of the largest tenant, one category", perSecond * share * 4, "shards of a tenant's audit months"),
  ];
  const monthly = calls * assumptions.daysOfMonth;
  const seconds = (name: Parameters<typeof sizeOf>[0], each: number): number => (sizeOf(name).memoryMiB / 1024) * each;
  const invocations = request.invocations + projectionInvocations * (1 + alone.archive.invocations / alone.projection.invocations);
  const gbSeconds =
    request.invocations * seconds("voice", assumptions.voiceSeconds) +
    projectionInvocations * seconds("events/project", secondsOf(recordsOfBatch)) +
    projectionInvocations *
      (alone.archive.invocations / alone.projection.invocations) *
      seconds("events/archive", assumptions.archiveSeconds);
  const costs = {
    "Table, writes": monthly * writeUnits * prices.tableWriteUnit,
    "Table, reads": monthly * (request.readUnits + tenantOfEach.projection.readUnits) * prices.tableReadUnit,
    "Table, storage after a year": storedGb * prices.tableStorage,
    Lambda: monthly * (invocations * prices.lambdaRequest + gbSeconds * prices.lambdaSecond),
    "CloudFront, firewall, HTTP API":
      monthly * request.invocations * (prices.cloudFrontRequest + prices.firewallRequest + prices.httpApiRequest),
    KMS: monthly * atOnce.kmsRequests * prices.kmsRequest,
    S3: monthly * atOnce.s3Requests * prices.s3Write,
    "Logs and traces": monthly * ((atOnce.logBytes / 1e9) * prices.logs + invocations * prices.traces),
    Fixed: prices.fixed,
  };
  const month = Object.values(costs).reduce((sum, cost) => sum + cost, 0);
  return { perSecond, shards, recordsOfBatch, projectionUnits, projectionInvocations, writeUnits, loads, costs, month };
}

const partition = (name: string, value: number, change: string): Load => ({
  name,
  value,
  limit: limits.partitionWrites,
  unit: "units/s",
  change,
});

export const shareOf = ({ value, limit }: Load): number => value / limit;

/** The part that reaches its limit first as calls grow. */
export const firstBottleneck = ({ loads }: Model): Load => loads.toSorted((a, b) => shareOf(b) - shareOf(a))[0]!;
