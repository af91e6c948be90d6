import { deleteFhirSecret } from "@vitaline/aws";
import { inHundreds } from "@vitaline/core";
import { keys, type ErasureRow, type FhirConsentRow, type FhirProviderRow, type UserRow } from "@vitaline/store";
import { locks, partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { rowAt, type PlatformContext, type StoredRow } from "@vitaline/store/platform.ts";
import { batchesOfCall, batchesOfWaiting, batchOfKept, goneRow, type Batch, type Counts } from "./batches.ts";

/**
 * Everything of a tenant but its audit and the head of the audit's chain: its people and keys, then its data, its settings last, as
 * they name what else there is. Rows under hashes that cannot be listed end by themselves within thirty days.
 */
export async function* batchesOfTenant(ctx: PlatformContext, row: ErasureRow): AsyncGenerator<Batch> {
  const { tenantId } = row;
  yield* batchesOfPeople(ctx, tenantId);
  yield* batchesOfAccess(ctx, tenantId);
  for (const [partition, counts] of listsOf(tenantId)) yield* wholePartition(ctx, partition, counts);
  for (const partition of [tenantPartitions.calls(tenantId), tenantPartitions.erasedCalls(tenantId)])
    for await (const calls of ctx.platform.stored(partition, "gsi1"))
      for (const call of calls) yield* batchesOfCall(ctx, row, String(call["callKey"]), false);
  // The index is a little behind: what went with its call is not counted again
  yield { rows: [], settle: true };
  for await (const runs of ctx.platform.stored(tenantPartitions.runs(tenantId), "gsi1")) {
    const left = await inHundreds(runs, (some) => ctx.platform.batchGet(some.map(rowAt)));
    yield { rows: runs.filter((_, at) => left[at] !== undefined).map((run) => goneRow(run, { toolRuns: 1 })) };
  }
  for await (const kept of ctx.platform.stored(tenantPartitions.inbox(tenantId))) for (const event of kept) yield batchOfKept(event);
  for await (const kept of ctx.platform.stored(partitions.keptEvents))
    yield { rows: kept.filter((event) => event["tenantId"] === tenantId).map((event) => goneRow(event)) };
  yield* batchesOfWaiting(ctx, partitions.outgoing, () => true, tenantId);
  yield* batchesOfWaiting(ctx, partitions.due, ({ kind }) => kind !== "erasure", tenantId);
  for (const folder of ["calls", "kept-events", "exports"]) yield { prefix: `${folder}/${tenantId}/`, rows: [] };
  yield* batchesOfSettings(ctx, tenantId);
  yield* wholePartition(ctx, tenantPartitions.stats(tenantId), {});
}

const listsOf = (t: string): [partition: string, counts: Counts][] => [
  [tenantPartitions.leads(t), { leads: 1 }],
  [tenantPartitions.tasks(t), { tasks: 1 }],
  [tenantPartitions.messages(t), { messages: 1 }],
  ...[
    ...[tenantPartitions.live(t), tenantPartitions.webhooks(t), tenantPartitions.deliveries(t), tenantPartitions.calendarEntries(t)],
    ...[tenantPartitions.exports(t), tenantPartitions.optOuts(t), keys.retentionRun().at(t).pk],
  ].map((partition): [string, Counts] => [partition, { others: 1 }]),
];

async function* wholePartition({ platform }: PlatformContext, partition: string, counts: Counts = { others: 1 }): AsyncGenerator<Batch> {
  for await (const rows of platform.stored(partition)) yield { rows: rows.map((row) => goneRow(row, counts)) };
}

async function* batchesOfPeople(ctx: PlatformContext, tenantId: string): AsyncGenerator<Batch> {
  const { userDirectory, sessions } = partitions;
  for await (const people of ctx.platform.stored(tenantPartitions.users(tenantId)))
    for (const person of people) {
      const user = await ctx.platform.get<UserRow>(keys.user(person.sk));
      yield* wholePartition(ctx, sessions(person.sk));
      const own = [keys.user(person.sk).at, { pk: userDirectory, sk: person.sk }, { pk: userDirectory, sk: `${locks}${person.sk}` }];
      const email = user ? [keys.email(user.email).at] : [];
      yield { rows: [goneRow(person, { users: 1 }), ...[...own, ...email].map((row) => goneRow(row, {}))] };
    }
}

/** Keys and secrets, and the lookups by which they open anything. */
async function* batchesOfAccess(ctx: PlatformContext, tenantId: string): AsyncGenerator<Batch> {
  for await (const settings of ctx.platform.stored(tenantPartitions.config(tenantId))) {
    const lookups = settings.flatMap((row) => {
      const { lookup } = row as { lookup?: string };
      if (lookup === undefined) return [];
      return row.sk.startsWith("APIKEY#") ? [keys.keyOwner(lookup).at] : [keys.calendarOwner(lookup).at];
    });
    yield { rows: lookups.map((row) => goneRow(row)) };
  }
  for (const partition of [tenantPartitions.vault(tenantId), tenantPartitions.keyUse(tenantId)]) yield* wholePartition(ctx, partition);
  yield { rows: [goneRow({ pk: partitions.webhookTenants, sk: tenantId }, {})] };
}

async function* batchesOfSettings(ctx: PlatformContext, tenantId: string): AsyncGenerator<Batch> {
  const later: StoredRow[] = [];
  for await (const settings of ctx.platform.stored(tenantPartitions.config(tenantId)))
    for (const row of settings) {
      if (row.sk === "TENANT") later.push(row);
      else {
        yield* elsewhere(ctx, tenantId, row);
        yield { rows: [goneRow(row)] };
      }
    }
  for (const row of later) {
    yield* usesOf(tenantId, "-", row);
    yield { rows: [goneRow(row), goneRow({ pk: partitions.tenantDirectory, sk: tenantId }, {})] };
  }
}

/** What stands outside the tenant's own partitions because of a setting. */
async function* elsewhere(ctx: PlatformContext, tenantId: string, row: StoredRow): AsyncGenerator<Batch> {
  const [kind = "", ...ids] = row.sk.split("#");
  const [id = ""] = ids;
  if (kind === "OFFICE") {
    yield* usesOf(tenantId, id, row);
    yield* wholePartition(ctx, partitions.ref(id), {});
    yield { rows: [goneRow({ pk: partitions.tenantDirectory, sk: `${tenantId}#OFFICE#${id}` }, {})] };
  }
  if (kind === "VOICE") {
    yield* wholePartition(ctx, partitions.ref(id), {});
    yield* wholePartition(ctx, partitions.connectionDays(id), {});
    const places = [keys.voiceHealth(id).at, keys.reconciled(id).at, { pk: partitions.voice, sk: `PROVIDER#${id}` }];
    yield { rows: places.map((place) => goneRow(place, {})) };
  }
  if (kind === "AGENT") yield { rows: [goneRow({ pk: partitions.voice, sk: `AGENT#${ids.at(-1)}` }, {})] };
  if (kind === "FHIR") yield* batchesOfConnection(ctx, tenantId, id);
}

/** A record system that the tenant or an office uses knows of that. */
function* usesOf(tenantId: string, officeId: string, { fhirProviderId }: StoredRow): Generator<Batch> {
  if (typeof fhirProviderId !== "string") return;
  yield { rows: [goneRow(keys.fhirUsedBy(fhirProviderId, tenantId, officeId).at, {})] };
}

/** A connection that the tenant keeps itself goes with its secrets; one of the platform's stays. */
async function* batchesOfConnection(ctx: PlatformContext, tenantId: string, providerId: string): AsyncGenerator<Batch> {
  const provider = await ctx.platform.get<FhirProviderRow>(keys.fhirProvider(providerId));
  if (provider?.ownerTenantId !== tenantId) return;
  const consent = await ctx.platform.get<FhirConsentRow>(keys.fhirConsent(providerId));
  for (const secret of [provider.clientSecret, provider.privateKey, consent]) if (secret) await deleteFhirSecret(secret);
  yield* wholePartition(ctx, partitions.fhirUsers(providerId), {});
  yield* wholePartition(ctx, partitions.connectionDays(providerId), {});
  yield { rows: [goneRow(keys.fhirProvider(providerId).at), goneRow(keys.fhirHealth(providerId).at, {})] };
}
