import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { AwsOptions } from "../../packages/local-cloud/aws/index.ts";
import { anySentences } from "../../packages/tools/test/sentences.fixture.ts";
import { openEhr } from "../kit/ehr.ts";
import { openLine, type Caller, type ToolResult } from "../kit/line.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";
import { projected, recount } from "../kit/store/recount.ts";
import { auditsIn, ageInterruptedWork, readRows, type Row } from "../kit/store/table.ts";
import { partialTransactions } from "../kit/store/consistency.ts";

vi.setConfig({ testTimeout: 120_000 });
const long = process.env["FULL"] !== undefined;

type Hook = NonNullable<AwsOptions["fault"]>;
type AwsCall = Parameters<Hook>[0];
type Fault = Awaited<ReturnType<Hook>>;

let hook: Hook | undefined;
let it: TestPlatform;
let admin: string;
let manager: string;
let callers: Caller[];
beforeAll(async () => {
  it = await ownPlatform({ voices: true, calls: true, fault: (call) => hook?.(call) });
  const { systemAdmin, tenants } = it.demo;
  admin = await it.tokenOf(systemAdmin.email, systemAdmin.password);
  manager = await it.tokenOf(tenants[1]!.admin.email, tenants[1]!.admin.password);
  const ehr = await openEhr(it.platform.sandbox);
  callers = await ehr.addCallers(120);
  await ehr.close();
  await it.platform.cloud.drained();
});
afterEach(() => void (hook = undefined));
afterAll(() => it.close());

const forms = {
  throttled: (service: string): Fault => {
    if (service === "s3") return { status: 503, code: "SlowDown", message: "Please reduce your request rate." };
    const code = service === "dynamodb" ? "ProvisionedThroughputExceededException" : "ThrottlingException";
    return { status: 400, code, message: "Rate exceeded" };
  },
  failing: (service: string): Fault => ({
    status: 500,
    code: service === "s3" ? "InternalError" : "InternalServerError",
    message: "We made a mistake.",
  }),
  dropped: (): Fault => "drop",
  "dropped after": (): Fault => "after",
};
type Form = keyof typeof forms;
const allForms = Object.keys(forms) as Form[];

/** Only functions that answer requests; the projection and the operator are spared. */
const ofRequests = ({ principalArn }: AwsCall): boolean => principalArn.includes("role/") && !/project|retry/i.test(principalArn);

function failOnce(service: string, form: Form): Set<string> {
  const struck = new Set<string>();
  hook = (call) => {
    if (call.service !== service || !ofRequests(call) || struck.has(call.operation)) return undefined;
    struck.add(call.operation);
    return forms[form](service);
  };
  return struck;
}

function failAlways(service: string, form: Form, spared: string[] = []): void {
  hook = (call) => (call.service === service && ofRequests(call) && !spared.includes(call.operation) ? forms[form](service) : undefined);
}

type Outcome = { status: number; text: string; requestId: string; works: boolean; speech?: string };
type Operation = {
  send(): Promise<Outcome>;
  traces(rows: Row[]): number;
  /** A retry after an unheard success must not repeat the work. */
  once?: true;
  /** Without this service the work is accepted and deferred. */
  keptWithout?: string;
};

const outcomeOf = ({ status, text, headers }: { status: number; text: string; headers: Headers }): Outcome => ({
  status,
  text,
  requestId: headers.get("x-request-id") ?? "",
  works: status < 300,
});
const spoken = ({ ok, ...result }: ToolResult): Outcome => ({ ...result, works: ok });

const signIn = async (): Promise<Operation> => {
  const [, { admin: body }] = it.demo.tenants as [unknown, { admin: object }];
  return {
    send: async () => outcomeOf(await it.api("POST", "/api/auth/login", { body })),
    traces: (rows) => rows.filter(({ pk }) => pk.startsWith("SESSION#")).length,
  };
};

const createUser = async (): Promise<Operation> => {
  const email = `fault-${randomUUID()}@fault.example`;
  const body = {
    email,
    password: `pass-${randomUUID()}`,
    firstName: "Fay",
    lastName: "Ultz",
    role: "tenant_admin",
    tenantId: it.demo.tenants[0]!.id,
  };
  return {
    send: async () => outcomeOf(await it.api("POST", "/api/admin/users", { token: admin, body })),
    once: true,
    traces: (rows) => rows.filter((row) => row.sk === "USER" && row["email"] === email).length,
  };
};

const createProvider = async (): Promise<Operation> => {
  const name = `EHR ${randomUUID()}`;
  const body = {
    name,
    providerType: "custom",
    baseUrl: "https://ehr.example/r4",
    clientId: "client",
    clientSecret: "secret-of-a-client",
    scopes: "system/*.read",
  };
  return {
    send: async () => outcomeOf(await it.api("POST", "/api/admin/fhir/providers", { token: admin, body })),
    traces: (rows) => rows.filter((row) => row.pk === "PLATFORM#FHIR" && row["name"] === name).length,
  };
};

const rotateKey = async (): Promise<Operation> => ({
  send: async () => outcomeOf(await it.api("POST", "/api/tenant/regenerate-api-key", { token: manager, body: {} })),
  traces: (rows) => rows.filter(({ pk, sk }) => pk === `TENANT#${it.demo.tenants[1]!.id}#CONFIG` && sk.startsWith("APIKEY#")).length,
});

const newLine = (caller = callers.pop()!) => openLine(it.api, it.demo.tenants[0]!.apiKey, caller);

const verify = async (): Promise<Operation> => {
  const caller = callers.pop()!;
  const line = newLine(caller);
  const toolCallId = `call_${randomUUID()}`;
  const { given: firstName, family: lastName, birthDate: dateOfBirth, phone: phoneNumber } = caller;
  return {
    send: async () => spoken(await line.useTool("verifyPatientIdentity", { firstName, lastName, dateOfBirth, phoneNumber }, toolCallId)),
    once: true,
    traces: (rows) => rows.filter((row) => row.sk === "STATE" && row.pk.endsWith(line.callKey) && row["patientId"] !== undefined).length,
  };
};

const book = async (): Promise<Operation> => {
  const line = newLine();
  await line.verify();
  const slots = (await line.find()).found?.slots ?? [];
  const toolCallId = `call_${randomUUID()}`;
  return {
    send: async () => spoken(await line.book(slots[0]!.slotId, toolCallId)),
    once: true,
    traces: (rows) =>
      auditsIn(rows).filter(({ callKey, detail, success }) => callKey === line.callKey && success && detail?.["booked"]).length,
  };
};

const report = async (): Promise<Operation> => {
  const line = newLine();
  await line.tell({ type: "status-update", status: "in-progress" });
  return {
    send: async () => outcomeOf(await line.end()),
    once: true,
    keptWithout: "s3",
    traces: (rows) => rows.filter((row) => row.sk === "CALL" && row.callKey === line.callKey && row["transcript"] !== undefined).length,
  };
};

const operations: [name: string, prepare: () => Promise<Operation>, services: string[]][] = [
  ["a sign-in", signIn, ["dynamodb", "kms"]],
  ["a user's creation", createUser, ["dynamodb"]],
  ["a FHIR provider with a secret", createProvider, ["dynamodb", "secretsmanager"]],
  ["a key's rotation", rotateKey, ["dynamodb", "kms"]],
  ["an identity check", verify, ["dynamodb"]],
  ["a booking", book, ["dynamodb", "kms"]],
  ["a call's report", report, ["dynamodb", "kms", "s3"]],
];
const cases = operations.flatMap(([name, prepare, services]) => services.map((service) => ({ name, prepare, service })));

const rowsNow = async (): Promise<Row[]> => {
  await it.platform.cloud.drained();
  return readRows(it.dataDir);
};

const formsFor = (index: number): Form[] => (long ? allForms : ["dropped after", allForms[index % 3] ?? "failing"]);
const each = cases.flatMap((one, index) => formsFor(index).map((form) => ({ ...one, form })));

describe("AWS failures, once per operation, are hidden by retries of", () => {
  test.each(each)("$name: $service, $form", async ({ prepare, service, form }) => {
    const deed = await prepare();
    const before = deed.traces(await rowsNow());
    const struck = failOnce(service, form);
    expect(await deed.send()).toMatchObject({ works: true });
    expect(struck.size).toBeGreaterThan(0);
    hook = undefined;
    const rows = await rowsNow();
    expect(deed.traces(rows)).toBe(before + 1);
    expect(partialTransactions(rows)).toEqual([]);
  });
});

function expectApology({ status, text, requestId, speech }: Outcome): void {
  if (speech !== undefined) {
    expect({ status, lines: speech.split("\n").length }).toEqual({ status: 200, lines: 1 });
    expect(anySentences).toContain(speech);
    return;
  }
  expect(status).toBe(503);
  expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(/^[A-Z].+\.$/), code: "unavailable", requestId });
  expect(requestId).not.toBe("");
}

const keptIn = (rows: Row[]): number => rows.filter(({ pk }) => pk === "PLATFORM#KEPT").length;

describe("persistent AWS failures give one clear answer and leave nothing half done; later the same request works:", () => {
  test.each(each)("$name: $service, $form", async ({ prepare, service, form }) => {
    const deed = await prepare();
    const rowsBefore = await rowsNow();
    const [before, keptBefore] = [deed.traces(rowsBefore), keptIn(rowsBefore)];
    // Without the API key's row the request does not reach a tool
    failAlways(service, form, ["GetItem"]);
    const answer = await deed.send();
    hook = undefined;
    const rows = await rowsNow();
    const done = deed.traces(rows) - before;
    if (deed.keptWithout === service) expect([answer.works, keptIn(rows)]).toEqual([true, keptBefore + 1]);
    // A condition that fails on the retry shows that the first attempt succeeded
    else if (form === "dropped after" && answer.works) expect(done).toBe(1);
    else expectApology(answer);
    if (form !== "dropped after") expect(done).toBe(0);
    expect(partialTransactions(rows)).toEqual([]);

    await ageInterruptedWork(it.dataDir);
    const again = await deed.send();
    if (again.status !== 409) expect(again).toMatchObject({ works: true });
    const after = await rowsNow();
    expect(partialTransactions(after)).toEqual([]);
    expect(deed.traces(after) - before).toBe(1 + (deed.once ? 0 : done));
  });
});

/** Holds transactions back until `count` have arrived, then lets all of them run at once. */
function meetAtTransactions(count: number): void {
  const all = Promise.withResolvers<undefined>();
  let come = 0;
  hook = ({ operation }) => {
    if (operation !== "TransactWriteItems" || come === count) return undefined;
    if (++come === count) all.resolve(undefined);
    return all.promise;
  };
}

describe("a transaction that conflicts with another one", () => {
  test("is retried: offices created at once for one tenant are all created", async () => {
    const since = it.platform.usage().at(-1)?.id;
    meetAtTransactions(4);
    const route = `/api/admin/tenants/${it.demo.tenants[0]!.id}/offices`;
    const made = await Promise.all(
      Array.from({ length: 4 }, () => it.api("POST", route, { token: admin, body: { name: `Office ${randomUUID()}` } })),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    expect(it.platform.usage(since).filter(({ error }) => error === "TransactionCanceledException").length).toBeGreaterThan(0);
    expect(partialTransactions(await rowsNow())).toEqual([]);
  });

  test("of users created at once with one address one is created, and the others get a conflict", async () => {
    meetAtTransactions(4);
    const body = {
      email: `same-${randomUUID()}@fault.example`,
      password: `pass-${randomUUID()}`,
      firstName: "A",
      lastName: "B",
      role: "system_admin",
    };
    const made = await Promise.all(Array.from({ length: 4 }, () => it.api("POST", "/api/admin/users", { token: admin, body })));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect(partialTransactions(await rowsNow())).toEqual([]);
  });
});

test("Without its table the platform gives a voice platform a clear error", async () => {
  const deed = await verify();
  failAlways("dynamodb", "dropped");
  const { speech: _none, ...answer } = await deed.send();
  expectApology(answer);
  hook = undefined;
  expect(await deed.send()).toMatchObject({ works: true });
});

test("Totals are correct after a projection with every third AWS call failing", async () => {
  let calls = 0;
  hook = (call) =>
    call.principalArn.includes("roject") && call.service === "dynamodb" && ++calls % 3 === 0
      ? forms[allForms[(calls / 3) % 4] ?? "failing"]("dynamodb")
      : undefined;
  const made = await Promise.all(Array.from({ length: 6 }, report));
  for (const { send } of made) expect(await send()).toMatchObject({ works: true });
  const booking = await book();
  expect(await booking.send()).toMatchObject({ works: true });
  await it.platform.cloud.drained();
  expect(calls).toBeGreaterThan(12);
  hook = undefined;
  const rows = await rowsNow();
  expect(projected(rows)).toEqual(recount(rows));
});
