import { type AttributeValue, DeleteItemCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { handler as archive } from "../../functions/events/archive/handler.ts";
import { handler as project } from "../../functions/events/project/handler.ts";
import { type Clinics, startClinics } from "../../functions/voice/clinics.fixture.ts";
import { projectedRecords } from "../../infra/config/projected-records.ts";
import { itemSize } from "../../packages/local-cloud/aws/dynamodb/engine/capacity.ts";
import type { StreamRecord, Usage } from "../../packages/local-cloud/aws/index.ts";
import { type Pattern, parsePattern } from "../../packages/local-cloud/template/event-pattern.ts";
import { demoScopes } from "../../packages/sandbox-ehr/auth/scopes.ts";
import { runCall } from "../call/run-call.ts";
import { auditRecords } from "../../infra/config/audit-records.ts";

/** What one function did for a call, on average. */
export type Spent = { invocations: number; writeUnits: number; readUnits: number; databaseRequests: number };
export type Measured = {
  request: Spent;
  projection: Spent;
  archive: Spent;
  streamRecords: number;
  /** Of them, those that the projection is given. */
  projectedRecords: number;
  /** Bytes of new rows. */
  storedBytes: number;
  kmsRequests: number;
  s3Requests: number;
  logBytes: number;
};

const batchSize = 100;
const archiveBatchSize = 500;
type Row = Record<string, AttributeValue>;
type StreamRow = NonNullable<StreamRecord["dynamodb"]["NewImage"]>;
const shardId = "shardId-00000001";
const patternsOf = (patterns: readonly object[], where: string): Pattern =>
  (
    (all) => (record: unknown) =>
      all.some((matches) => matches(record))
  )(patterns.map((pattern) => parsePattern(JSON.stringify(pattern), where)));
const isProjected = patternsOf(projectedRecords, "Projection");
const isArchived = patternsOf(auditRecords, "Archiving");
const invocation = { awsRequestId: "measured", getRemainingTimeInMillis: () => 60_000 };

const nothing = (): Spent => ({ invocations: 0, writeUnits: 0, readUnits: 0, databaseRequests: 0 });
const add = (spent: Spent, usage: readonly Usage[]): void => {
  spent.databaseRequests += usage.length;
  for (const { writeUnits, readUnits } of usage) {
    spent.writeUnits += writeUnits;
    spent.readUnits += readUnits;
  }
};
const per = (spent: Spent, calls: number): Spent =>
  Object.fromEntries(Object.entries(spent).map(([name, value]) => [name, value / calls])) as Spent;

/** The table's stream of one shard, in front of the two functions that read it. */
function openStream({ aws: test }: Clinics) {
  const stream = test.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
  const spent = { projection: nothing(), archive: nothing() };
  const seen = { records: 0, projected: 0, bytes: 0 };
  const read = async (): Promise<StreamRecord[]> => {
    const found: StreamRecord[] = [];
    for (let page = await stream.read("measured", 1000); page.length > 0; page = await stream.read("measured", 1000)) {
      found.push(...page);
      await stream.ack("measured", page.at(-1)?.dynamodb.SequenceNumber ?? "");
    }
    return found;
  };
  const invoke = async (batch: StreamRecord[], to: typeof project | typeof archive, of: Spent): Promise<void> => {
    if (batch.length === 0) return;
    const since = test.usage().at(-1)?.id;
    await to({ shardId, Records: batch }, invocation);
    of.invocations++;
    add(of, test.usage({ since }));
  };
  /** Hands on the records, and those that this writes, until there are no more. `before`: runs before each batch. */
  const handOn = async (found: StreamRecord[], before: (batch: StreamRecord[]) => Promise<void> = async () => {}): Promise<void> => {
    let archived: StreamRecord[] = [];
    let projected: StreamRecord[] = [];
    const take = (more: StreamRecord[]): void => {
      const wanted = more.filter(isProjected);
      seen.records += more.length;
      seen.projected += wanted.length;
      for (const { eventName, dynamodb } of more) if (eventName === "INSERT") seen.bytes += itemSize(dynamodb.NewImage);
      projected = [...projected, ...wanted];
      archived = [...archived, ...more.filter(isArchived)];
    };
    take(found);
    while (projected.length + archived.length > 0) {
      const batch = projected.slice(0, batchSize);
      projected = projected.slice(batchSize);
      await before(batch);
      await read();
      await invoke(batch, project, spent.projection);
      if (projected.length === 0) await invoke(archived.splice(0, archiveBatchSize), archive, spent.archive);
      take(await read());
    }
  };
  const forget = async (): Promise<void> => {
    await handOn(await read());
    Object.assign(seen, { records: 0, projected: 0, bytes: 0 });
    Object.assign(spent, { projection: nothing(), archive: nothing() });
  };
  return { read, handOn, forget, spent: () => spent, seen: () => seen };
}

const isCall = ({ dynamodb: { Keys } }: StreamRecord): boolean => Keys["sk"]?.S === "CALL";
let opened: DynamoDBClient | undefined;
const client = (): DynamoDBClient => (opened ??= new DynamoDBClient({}));

/** Removes the rows of calls that are over. They return with their records, so that the projection finds each as it was then. */
async function rewind(records: readonly StreamRecord[]): Promise<void> {
  for (const { dynamodb } of records.filter(isCall))
    await client().send(new DeleteItemCommand({ TableName: process.env["TABLE_NAME"], Key: dynamodb.Keys as Row }));
}

/** With what the projection has written onto the call by then, which the recorded images lack. */
async function replay(records: readonly StreamRecord[]): Promise<void> {
  for (const { dynamodb } of records.filter(isCall)) {
    const at = { TableName: process.env["TABLE_NAME"], Key: dynamodb.Keys as Row };
    const { Item = {} } = await client().send(new GetItemCommand(at));
    const { toolsUsed, toolFailed, failedTools, helped, soughtStaff, results, intent, loggedReasons } = Item;
    const projected = Object.fromEntries(
      Object.entries({ toolsUsed, toolFailed, failedTools, helped, soughtStaff, results, intent, loggedReasons }).filter(
        ([, value]) => value !== undefined,
      ),
    ) as StreamRow;
    if (dynamodb.OldImage) dynamodb.OldImage = { ...dynamodb.OldImage, ...projected };
    dynamodb.NewImage = { ...dynamodb.NewImage, ...projected };
    await client().send(new PutItemCommand({ TableName: at.TableName, Item: dynamodb.NewImage as Row }));
  }
}

/** Runs `after` when a request is answered, before the caller learns of it. */
async function openProxy(origin: string, after: () => Promise<void>) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = "GET", url = "", headers } = request;
    const { host: _host, connection: _connection, ...passed } = headers as Record<string, string>;
    const answered = await fetch(origin + url, { method, headers: passed, body: method === "GET" ? null : body });
    const answer = await answered.text();
    await after();
    response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "" }).end(answer);
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((done) => void server.close(done).closeAllConnections()),
  };
}

/** The records of calls that happen at once: the first of each, then the second of each. */
const interleave = (calls: readonly StreamRecord[][]): StreamRecord[] => {
  const longest = Math.max(...calls.map(({ length }) => length));
  const mixed = Array.from({ length: longest }, (_, at) => calls.flatMap((records) => records[at] ?? [])).flat();
  const numbers = mixed.map(({ dynamodb }) => dynamodb.SequenceNumber).toSorted((a, b) => Number(a) - Number(b));
  return mixed.map((record, at) => ({ ...record, dynamodb: { ...record.dynamodb, SequenceNumber: numbers[at] ?? "" } }));
};

/** A call's own ids: its key, and those of its audit rows, appointments and tasks. */
function idsOf(records: readonly StreamRecord[], withTenant: boolean): string[] {
  const text = JSON.stringify(records);
  const auditIds = records.filter(isArchived).map(({ dynamodb }) => dynamodb.Keys["sk"]?.S ?? "");
  const callKeys = [...text.matchAll(/#CALL#([0-9a-f]{40})/g)].map(([, key]) => key ?? "");
  const appointments = [...text.matchAll(/"appointmentId":\{"S":"([^"]+)"/g)].map(([, id]) => id ?? "");
  const tenants = [...text.matchAll(/TENANT#([0-9a-z]{26})#/g)].map(([, id]) => id ?? "");
  const tasks = records
    .filter(({ dynamodb: { Keys } }) => Keys["pk"]?.S?.endsWith("#TASKS"))
    .map(({ dynamodb }) => dynamodb.Keys["sk"]?.S ?? "");
  return [...new Set([...auditIds, ...callKeys, ...appointments, ...tasks, ...(withTenant ? tenants : [])])];
}

/** The same call once more, under other ids. */
const copyOf = (records: readonly StreamRecord[], copy: number, withTenant: boolean): StreamRecord[] =>
  JSON.parse(
    idsOf(records, withTenant).reduce(
      (text, id) => text.replaceAll(id, `${id.slice(0, -4)}${(copy + 0x100).toString(16).slice(-3)}${id.at(-1)}`),
      JSON.stringify(records),
    ),
  ) as StreamRecord[];

const callsOfEachClinic = 2;

/**
 * Calls in which a patient books, or asks for a refill, which leaves a task, at two tenants, with the product's own handlers on the embedded database. `atOnce`: the number of calls
 * whose changes the stream delivers mixed and in full batches, recorded ones and copies of them; otherwise there is a batch for each
 * request, as in a call that is alone. `tenantOfEach`: each copy is of a tenant of its own.
 */
export async function measureCalls({
  scenario = "book",
  atOnce,
  tenantOfEach = false,
}: { scenario?: "book" | "refill"; atOnce?: number; tenantOfEach?: boolean } = {}): Promise<Measured> {
  // More than a day ahead, so that each booking has its reminder
  const town = await startClinics({ scopes: demoScopes, firstSlotDay: 2 });
  const { aws } = town;
  try {
    process.env["ARCHIVE_BUCKET"] = "vitaline-test-archive";
    const stream = openStream(town);
    const makeCall = async (number: number, origin: string) => {
      const { apiKey, sandbox } = town.clinics[number % 2]!;
      const patient = sandbox.patients[Math.floor(number / 2)]!;
      const { moments } = await runCall({ origin, apiKey, platform: "vapi", scenario, patient });
      const failed = moments.find((moment) => moment.kind === "tool" && !moment.ok);
      if (failed) throw new Error(`A tool of call ${number} failed: ${JSON.stringify(failed)}`);
    };
    // Caches, tokens and capabilities are filled
    for (const number of [0, 1]) await makeCall(number, town.origin);
    await stream.forget();

    const request = nothing();
    const used = { kms: 0, s3: 0, logs: 0 };
    aws.fault(({ service }) => {
      if (service === "kms" || service === "s3") used[service]++;
      return undefined;
    });
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text: string | Uint8Array) => {
      used.logs += text.length;
      return true;
    };
    const recorded: StreamRecord[][] = [];
    let since: number | undefined;
    const listen = () => void (since = aws.usage().at(-1)?.id);
    const afterRequest = async (): Promise<void> => {
      add(request, aws.usage({ since }));
      request.invocations++;
      if (atOnce === undefined) await stream.handOn(await stream.read());
      listen();
    };
    const proxy = await openProxy(town.origin, afterRequest);
    const real = callsOfEachClinic * 2;
    try {
      for (let number = 2; number < real + 2; number++) {
        listen();
        await makeCall(number, proxy.origin);
        if (atOnce !== undefined) recorded.push(await stream.read());
      }
    } finally {
      process.stdout.write = write;
      aws.fault();
      await proxy.close();
    }
    if (atOnce !== undefined) {
      for (const records of recorded) await rewind(records);
      await stream.read();
      const calls = Array.from({ length: atOnce }, (_, number) =>
        copyOf(recorded[number % real]!, Math.floor(number / real), tenantOfEach),
      );
      await stream.handOn(interleave(calls), replay);
    }
    const count = atOnce ?? real;
    const { projection, archive: archived } = stream.spent();
    return {
      request: per(request, real),
      projection: per(projection, count),
      archive: per(archived, count),
      streamRecords: stream.seen().records / count,
      projectedRecords: stream.seen().projected / count,
      storedBytes: Math.round(stream.seen().bytes / count),
      kmsRequests: used.kms / real,
      s3Requests: used.s3 / real,
      logBytes: Math.round(used.logs / real),
    };
  } finally {
    await town.close();
  }
}
