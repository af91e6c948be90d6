import { deleteFhirSecret } from "@vitaline/aws";
import { inBatches } from "@vitaline/core";
import { dueShards, keys, shards, type ErasureRow, type OAuthGrantRow, type FhirProviderRow, type UserRow } from "@vitaline/store";
import { lockNoticePrefix, partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { rowAt, type PlatformContext, type StoredRow } from "@vitaline/store/platform.ts";
import { callBatches, queuedBatches, keptEventBatch, deletedRow, type Batch, type Counts } from "./batches.ts";

/**
 * Everything of a tenant except its audit and the head of the audit's chain: users and keys, then data, and settings last, as the other
 * rows are found through them. Rows whose hashed keys cannot be listed expire within 30 days.
 */
export async function* tenantBatches(ctx: PlatformContext, row: ErasureRow): AsyncGenerator<Batch> {
  const { tenantId } = row;
  yield* userBatches(ctx, tenantId);
  yield* accessBatches(ctx, tenantId);
  for (const [partition, counts] of listsOf(tenantId)) yield* partitionBatches(ctx, partition, counts);
  for (const partition of [tenantPartitions.calls(tenantId), tenantPartitions.erasedCalls(tenantId)])
    for await (const calls of ctx.platform.stored(partition, "gsi1"))
      for (const call of calls) yield* callBatches(ctx, row, String(call["callKey"]), false);
  // The index lags behind: skip runs that were deleted with their call.
  yield { rows: [], settle: true };
  for await (const runs of ctx.platform.stored(tenantPartitions.runs(tenantId), "gsi1")) {
    const existing = await inBatches(runs, (chunk) => ctx.platform.batchGet(chunk.map(rowAt)));
    yield { rows: runs.filter((_, at) => existing[at] !== undefined).map((run) => deletedRow(run, { toolRuns: 1 })) };
  }
  for await (const requests of ctx.platform.stored(tenantPartitions.requests(tenantId)))
    yield {
      rows: requests.flatMap((request) => [
        ...(["open", "closed"] as const).map((state) => deletedRow(keys.listedRequest(state, request.sk).primaryKey, {})),
        deletedRow(request, { others: 1 }),
      ]),
    };
  for await (const kept of ctx.platform.stored(tenantPartitions.keptEventContent(tenantId)))
    for (const event of kept) yield keptEventBatch(event);
  for await (const kept of ctx.platform.stored(partitions.keptEvents))
    yield { rows: kept.filter((event) => event["tenantId"] === tenantId).map((event) => deletedRow(event)) };
  yield* queuedBatches(ctx, shards.map(partitions.outgoing), () => true, tenantId);
  yield* queuedBatches(ctx, dueShards.map(partitions.due), ({ kind }) => kind !== "erasure", tenantId);
  for (const folder of ["calls", "kept-events", "exports"]) yield { prefix: `${folder}/${tenantId}/`, rows: [] };
  yield* settingsBatches(ctx, tenantId);
  yield* partitionBatches(ctx, tenantPartitions.stats(tenantId), {});
}

const listsOf = (t: string): [partition: string, counts: Counts][] => [
  [tenantPartitions.leads(t), { leads: 1 }],
  [tenantPartitions.tasks(t), { tasks: 1 }],
  // Views of what is counted beside them.
  [tenantPartitions.toDo(t), {}],
  [tenantPartitions.messages(t), { messages: 1 }],
  ...[
    ...[tenantPartitions.live(t), tenantPartitions.webhooks(t), tenantPartitions.deliveries(t), tenantPartitions.calendarEntries(t)],
    ...[
      tenantPartitions.proxies(t),
      tenantPartitions.proxiesOfPatients(t),
      tenantPartitions.exports(t),
      tenantPartitions.accessReports(t),
      tenantPartitions.optOuts(t),
      tenantPartitions.officeNumbers(t),
      keys.retentionRun().primaryKeyIn(t).pk,
    ],
  ].map((partition): [string, Counts] => [partition, { others: 1 }]),
];

async function* partitionBatches({ platform }: PlatformContext, partition: string, counts: Counts = { others: 1 }): AsyncGenerator<Batch> {
  for await (const rows of platform.stored(partition)) yield { rows: rows.map((row) => deletedRow(row, counts)) };
}

async function* userBatches(ctx: PlatformContext, tenantId: string): AsyncGenerator<Batch> {
  const { userDirectory, sessions } = partitions;
  for await (const people of ctx.platform.stored(tenantPartitions.users(tenantId)))
    for (const person of people) {
      const user = await ctx.platform.get<UserRow>(keys.user(person.sk));
      yield* partitionBatches(ctx, sessions(person.sk));
      const own = [
        keys.user(person.sk).primaryKey,
        { pk: userDirectory, sk: person.sk },
        { pk: userDirectory, sk: `${lockNoticePrefix}${person.sk}` },
      ];
      const email = user ? [keys.email(user.email).primaryKey] : [];
      yield { rows: [deletedRow(person, { users: 1 }), ...[...own, ...email].map((row) => deletedRow(row, {}))] };
    }
}

async function* accessBatches(ctx: PlatformContext, tenantId: string): AsyncGenerator<Batch> {
  for await (const settings of ctx.platform.stored(tenantPartitions.config(tenantId))) {
    const lookups = settings.flatMap((row) => {
      const { lookupHash } = row as { lookupHash?: string };
      if (lookupHash === undefined) return [];
      return row.sk.startsWith("APIKEY#")
        ? [keys.keyLookupBeforeTenant(lookupHash).primaryKey]
        : [keys.calendarOwner(lookupHash).primaryKey];
    });
    yield { rows: lookups.map((row) => deletedRow(row)) };
  }
  for (const partition of [tenantPartitions.vault(tenantId), tenantPartitions.keyUse(tenantId)]) yield* partitionBatches(ctx, partition);
  yield { rows: [deletedRow({ pk: partitions.webhookTenants, sk: tenantId }, {})] };
}

async function* settingsBatches(ctx: PlatformContext, tenantId: string): AsyncGenerator<Batch> {
  const tenantRows: StoredRow[] = [];
  for await (const settings of ctx.platform.stored(tenantPartitions.config(tenantId)))
    for (const row of settings) {
      if (row.sk === "TENANT") tenantRows.push(row);
      else {
        yield* settingReferences(ctx, tenantId, row);
        yield { rows: [deletedRow(row)] };
      }
    }
  for (const row of tenantRows) {
    yield* fhirUsage(tenantId, "-", row);
    yield { rows: [deletedRow(row), deletedRow({ pk: partitions.tenantDirectory, sk: tenantId }, {})] };
  }
}

async function* settingReferences(ctx: PlatformContext, tenantId: string, row: StoredRow): AsyncGenerator<Batch> {
  const [kind = "", ...ids] = row.sk.split("#");
  const [id = ""] = ids;
  if (kind === "OFFICE") {
    yield* fhirUsage(tenantId, id, row);
    yield* partitionBatches(ctx, partitions.ref(id), {});
    yield { rows: [deletedRow({ pk: partitions.tenantDirectory, sk: `${tenantId}#OFFICE#${id}` }, {})] };
  }
  if (kind === "VOICE") {
    yield* partitionBatches(ctx, partitions.ref(id), {});
    yield* partitionBatches(ctx, partitions.connectionDays(id), {});
    const places = [keys.voiceHealth(id).primaryKey, keys.reconciled(id).primaryKey, { pk: partitions.voice, sk: `PROVIDER#${id}` }];
    yield { rows: places.map((place) => deletedRow(place, {})) };
  }
  if (kind === "AGENT") yield { rows: [deletedRow({ pk: partitions.voice, sk: `AGENT#${ids.at(-1)}` }, {})] };
  if (kind === "FHIR") yield* fhirConnectionBatches(ctx, tenantId, id);
}

function* fhirUsage(tenantId: string, officeId: string, { fhirProviderId }: StoredRow): Generator<Batch> {
  if (typeof fhirProviderId !== "string") return;
  yield { rows: [deletedRow(keys.fhirUsedBy(fhirProviderId, tenantId, officeId).primaryKey, {})] };
}

/** The tenant's own connection with its secrets; a shared one of the platform stays. */
async function* fhirConnectionBatches(ctx: PlatformContext, tenantId: string, providerId: string): AsyncGenerator<Batch> {
  const provider = await ctx.platform.get<FhirProviderRow>(keys.fhirProvider(providerId));
  if (provider?.ownerTenantId !== tenantId) return;
  const consent = await ctx.platform.get<OAuthGrantRow>(keys.oauthGrant(providerId));
  for (const secret of [provider.clientSecret, provider.privateKey, consent]) if (secret) await deleteFhirSecret(secret);
  yield* partitionBatches(ctx, partitions.fhirConnection(providerId), {});
  yield* partitionBatches(ctx, partitions.connectionDays(providerId), {});
  yield { rows: [deletedRow(keys.fhirProvider(providerId).primaryKey), deletedRow(keys.fhirHealth(providerId).primaryKey, {})] };
}
