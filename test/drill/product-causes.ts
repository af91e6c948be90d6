import { contract, defaultToolRunsPerMinute, type FunctionName, type Routes } from "@vitaline/contract";
import { type DueRow, dueKey, keys, outgoingKey, type OutgoingRow } from "@vitaline/store";
import { maxReplays } from "../../functions/events/retry/handler.ts";
import { apiOf, tokenFrom } from "../kit/api.ts";
import { noonZone } from "../kit/noon-zone.ts";
import { openLine, type Caller, type Line } from "../kit/line.ts";
import { openTable, type Row } from "../kit/store/table.ts";
import { type Cause, named, type Scene, type Spec } from "./scene.ts";

/** Causes of the metrics that the product's functions log. */

const toolRoute = "/api/vapi/tool-call";
const apiIn = ({ platform }: Scene) => apiOf(platform.origin);

/** Each user signs in once, since alarms on rates also count the invocations of sign-ins. */
const tokens = new Map<string, Promise<string>>();
const tokenIn = (scene: Scene, { email, password } = scene.platform.demo!.systemAdmin): Promise<string> => {
  const token = tokens.get(email) ?? tokenFrom(apiIn(scene))(email, password);
  tokens.set(email, token);
  return token;
};

/** The record systems are broken for its calls alone: their circuits open for it. */
const brokenClinic = 1;

/** A new call of a demo tenant's patient. */
const openCall = (
  scene: Scene,
  { tenant = 0, caller = scene.platform.demo!.patients[0]! }: { tenant?: number; caller?: Caller } = {},
): Line => openLine(apiIn(scene), scene.platform.demo!.tenants[tenant]!.apiKey, caller);

const times = (count: number, work: () => Promise<unknown>): Promise<unknown> => Promise.all(Array.from({ length: count }, work));

async function withTable<T>({ dataDir }: Scene, work: (table: ReturnType<typeof openTable>) => Promise<T>): Promise<T> {
  const table = openTable(dataDir);
  try {
    return await work(table);
  } finally {
    table.close();
  }
}

const down = { status: 500, code: "InternalServerError", message: "down" };

/** The function's own role, and the one that it takes for a tenant. */
const roleOf = (functionName: string): RegExp => new RegExp(`-${functionName}(Data)?Role`);

const toolsFailing: Cause = {
  words: "tools could not write to the table",
  async happen(scene) {
    scene.fault(({ operation, principalArn }) =>
      /Write|Put|Update/.test(operation) && roleOf("voice").test(principalArn) ? down : undefined,
    );
    await openCall(scene).verify();
    scene.fault();
  },
};

const identityOf = ({ platform }: Scene): object => {
  const { given, family, birthDate, phone } = platform.demo!.patients[0]!;
  return { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
};

async function whileRecordSystemIs(scene: Scene, fault: object, work: () => Promise<unknown>): Promise<void> {
  const faults = apiOf(scene.platform.sandbox.origin);
  await faults("POST", "/faults", { body: fault });
  await work();
  await faults("DELETE", "/faults");
}

/** A tool run through each function that callers' tools run in. */
const toolRuns: Record<string, (scene: Scene) => Promise<unknown>> = {
  voice: (scene) => openCall(scene, { tenant: brokenClinic }).verify(),
  mcp(scene) {
    const { id, apiKey } = scene.platform.demo!.tenants[brokenClinic]!;
    const params = { name: "verifyPatientIdentity", arguments: identityOf(scene) };
    const headers = { accept: "application/json", "x-call-id": `drill-${Date.now()}` };
    return apiIn(scene)("POST", `/api/mcp/${id}`, { key: apiKey, headers, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });
  },
};

const shortName = (alarm: Spec): string => /^vitaline-\w+-(\w+)$/.exec(alarm.rule.metric.dimensions["functionName"] ?? "")?.[1] ?? "";

const versionToolsFailing: Cause = {
  words: "tools could not reach the record system",
  apart: true,
  happen: (scene, alarm) => whileRecordSystemIs(scene, { kind: "503" }, () => times(3, () => toolRuns[shortName(alarm)]!(scene))),
};

const unknownId = "0".repeat(26);
/** An error that no code expects. */
const unexpected = { status: 400, code: "ValidationException", message: "unexpected" };

const versionFailing: Cause = {
  words: "requests failed for an unexpected error of the table",
  apart: true,
  async happen(scene, alarm) {
    const name = shortName(alarm);
    const [token, { apiKey: key }] = [await tokenIn(scene), scene.platform.demo!.tenants[0]!];
    const table: Routes = contract[name as FunctionName];
    const requests = Object.values(table).map(
      ({ method, path, auth }) =>
        () =>
          apiIn(scene)(method, path.replace("{token}", `${"0".repeat(43)}.ics`).replaceAll(/\{\w+\}/g, unknownId), {
            ...(auth === "key" ? { key } : { token }),
            ...(method === "GET" ? {} : { body: {} }),
          }),
    );
    scene.fault(({ service, principalArn }) => (service === "dynamodb" && roleOf(name).test(principalArn) ? unexpected : undefined));
    for (let failed = 0, sent = 0; failed < 3 && sent < 3 * requests.length; sent++)
      if ((await requests[sent % requests.length]!()).status === 500) failed++;
    scene.fault();
  },
};

const limitedTools: Cause = {
  words: "a tenant's calls ran more tools than it may",
  alone: true,
  async happen(scene) {
    const api = apiIn(scene);
    const token = await tokenIn(scene);
    const { tenants } = scene.platform.demo!;
    const tenant = tenants.at(-1)!;
    const { name, contactEmail, organizationType, isActive } = (await api("GET", `/api/admin/tenants/${tenant.id}`, { token })).json;
    const setLimit = (toolRunsPerMinute: number) => {
      const body = { name, contactEmail, organizationType, isActive, policies: { toolRunsPerMinute } };
      return api("PUT", `/api/admin/tenants/${tenant.id}`, { token, body });
    };
    await setLimit(60);
    const call = openCall(scene, { tenant: tenants.indexOf(tenant) });
    for (let request = 0; request < 150; request++) await call.useTool("getFhirProviders", {});
    await setLimit(defaultToolRunsPerMinute);
  },
};

const recordSystemDown: Cause = {
  words: "a record system answered 503",
  alone: true,
  async happen(scene) {
    const { fhirProviderId } = scene.platform.demo!.tenants[brokenClinic]!;
    const body = { patientId: scene.platform.demo!.patients[0]!.id };
    // A test that it passes closes the circuit
    await apiIn(scene)("POST", `/api/admin/fhir/providers/${fhirProviderId}/test`, { token: await tokenIn(scene), body });
    await whileRecordSystemIs(scene, { kind: "503" }, async () => {
      for (let call = 0; call < 6; call++) await openCall(scene, { tenant: brokenClinic }).verify();
    });
  },
};

const recordSystemSlow: Cause = {
  words: "a record system answered after three seconds",
  happen: (scene) => whileRecordSystemIs(scene, { kind: "slow", delayMs: 3000, times: 1 }, () => openCall(scene).verify()),
};

/** The simulator's number at which messages fail. Source: "SMS simulator phone numbers" in the AWS End User Messaging SMS User Guide. */
const failingNumber = "+14254147167";

const textFailing: Cause = {
  words: "a text message could not be delivered",
  async happen(scene) {
    const { sandbox, cloud, demo } = scene.platform;
    const [known] = demo!.patients;
    const caller = { given: "Drusilla", family: "Drillwell", birthDate: "1970-01-02", phone: failingNumber };
    await sandbox.put({
      resourceType: "Patient",
      id: `drill-${known!.id}`,
      name: [{ given: [caller.given], family: caller.family }],
      birthDate: caller.birthDate,
      telecom: [{ system: "phone", value: caller.phone, use: "mobile" }],
    });
    await withTable(scene, async (table) => {
      const tenant = await table.row(keys.tenantConfig().primaryKeyIn(demo!.tenants[0]!.id));
      await table.put({ ...tenant!, timeZone: noonZone });
    });
    const call = openCall(scene, { caller });
    await call.verify();
    await call.useTool("sendSMS", { purpose: "directions", to: caller.phone });
    await cloud.drained();
  },
};

const agoMs = 20 * 60_000;
const someTimeAgo = (): string => new Date(Date.now() - agoMs).toISOString();
const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

/** Work that events/retry should have tried 20 minutes ago. */
const dueWork = (scene: Scene, more: Pick<DueRow, "kind" | "tries">): Promise<unknown> => {
  const tenantId = scene.platform.demo!.tenants[0]!.id;
  const row: DueRow = { ...more, tenantId, id: unknownId, dueAt: someTimeAgo(), expiresAt: inAnHour() };
  return withTable(scene, (table) => table.put({ ...row, ...dueKey(row).primaryKeyIn(tenantId) }));
};

const workLate: Cause = {
  words: "a retry had been due for 20 minutes",
  async happen(scene) {
    await dueWork(scene, { kind: "idempotency" });
    await scene.platform.cloud.runScheduled(named(scene, "events-retry").name);
  },
};

async function withReminders(
  scene: Scene,
  { count, dueAt }: { count: number; dueAt: string },
  work: () => Promise<unknown>,
): Promise<void> {
  const [{ id: tenantId, fhirProviderId: providerId }] = [scene.platform.demo!.tenants[0]!];
  const rows = Array.from({ length: count }, (_, nth): Row => {
    const row: OutgoingRow = {
      kind: "reminder",
      tenantId,
      id: `drill-${nth}`,
      appointmentId: `drill-${nth}`,
      providerId,
      start: someTimeAgo(),
      dueAt,
      expiresAt: inAnHour(),
    };
    return { ...row, ...outgoingKey(row).primaryKeyIn(tenantId) };
  });
  await withTable(scene, async (table) => {
    await Promise.all(rows.map((row) => table.put(row)));
    await work();
    await Promise.all(rows.map((row) => table.remove(row)));
  });
}

const remindersLate: Cause = {
  words: "a reminder had been due for 20 minutes",
  happen: (scene) =>
    withReminders(scene, { count: 1, dueAt: someTimeAgo() }, () => scene.platform.cloud.runScheduled(named(scene, "events-remind").name)),
};

/** One invocation sends 300. */
const manyReminders = 301;

const sharesFailing: Cause = {
  words: "reminders could not be handed out to other invocations",
  happen: (scene) =>
    withReminders(scene, { count: manyReminders, dueAt: new Date().toISOString() }, async () => {
      scene.fault(({ service, principalArn }) => (service === "lambda" && /remind/.test(principalArn) ? down : undefined));
      await scene.platform.cloud.runScheduled(named(scene, "events-remind").name);
      scene.fault();
    }),
};

const probesLate: Cause = {
  words: "a connection had not been probed for 20 minutes",
  async happen(scene) {
    await scene.platform.cloud.runScheduled(named(scene, "events-health").name);
    await withTable(scene, async (table) => {
      const { pk, sk } = keys.fhirHealth(scene.platform.demo!.tenants[0]!.fhirProviderId).primaryKey;
      const row = await table.row({ pk, sk });
      await table.put({ ...row!, checkedAt: someTimeAgo() });
    });
    await scene.platform.cloud.runScheduled(named(scene, "events-health").name);
  },
};

const late: Record<string, Cause> = { retry: workLate, remind: remindersLate, health: probesLate };

const recordUnreadable: Cause = {
  words: "a row was written that the projection cannot read",
  async happen(scene) {
    await withTable(scene, async (table) => {
      const row = await someAuditRow(scene, table);
      await table.put({ ...row, sk: `${row.sk}0`, category: "unknown" });
    });
    await scene.platform.cloud.drained();
  },
};

const eventGivenUp: Cause = {
  words: "a kept event could not be recorded in the last of its retries",
  async happen(scene) {
    await dueWork(scene, { kind: "event", tries: maxReplays - 1 });
    scene.fault(({ operation, principalArn }) => (operation === "GetItem" && /retry/.test(principalArn) ? down : undefined));
    await scene.platform.cloud.runScheduled(named(scene, "events-retry").name);
    scene.fault();
  },
};

async function someAuditRow({ platform }: Scene, table: ReturnType<typeof openTable>): Promise<Row> {
  const month = new Date().toISOString().slice(0, 7);
  const [row] = await table.partition(keys.tenantPartitions.audit(platform.demo!.tenants[0]!.id, month, "patient_access"));
  return row!;
}

async function changeAuditRow(scene: Scene): Promise<void> {
  await withTable(scene, async (table) => table.put({ ...(await someAuditRow(scene, table)), action: "changed by the drill" }));
  await scene.platform.cloud.drained();
}

const auditChanged: Cause = {
  words: "an audit row was changed in the table",
  happen: changeAuditRow,
};

const auditDamaged: Cause = {
  words: "an audit row was changed, and the archive was verified",
  async happen(scene) {
    await changeAuditRow(scene);
    await scene.platform.cloud.runScheduled(named(scene, "events-verify").name);
  },
};

const refusedKeys: Cause = {
  words: "a hundred requests came with a wrong key",
  alone: true,
  async happen(scene) {
    for (let request = 0; request < 100; request++) await apiIn(scene)("POST", toolRoute, { key: "vtl_live_wrong", body: {} });
  },
};

/** By metric. */
const causes: Record<string, Cause> = {
  ToolFailed: toolsFailing,
  ToolDuration: recordSystemSlow,
  ToolRunsLimited: limitedTools,
  AuthenticationRefused: refusedKeys,
  EhrCircuitsOpened: recordSystemDown,
  MessageFailed: textFailing,
  SharesNotStarted: sharesFailing,
  RecordsRefused: recordUnreadable,
  EventsGivenUp: eventGivenUp,
  AuditChanged: auditChanged,
  AuditFlaws: auditDamaged,
};

export function productCauseOf({ rule: { metric } }: Spec): Cause | undefined {
  if (metric.name === "BacklogAge") return late[metric.dimensions["operation"] ?? ""];
  if (metric.dimensions["functionVersion"] === undefined) return causes[metric.name];
  return metric.name === "ToolFailed" ? versionToolsFailing : versionFailing;
}
