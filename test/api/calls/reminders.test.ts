import type { Message } from "@vitaline/contract";
import { outgoingKey, type OutgoingRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEhr } from "../../kit/ehr.ts";
import { openLine, type Caller } from "../../kit/line.ts";
import { noonZone } from "../../kit/noon-zone.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";

let it: TestPlatform;
let table: ReturnType<typeof openTable>;
const tenantIds: string[] = [];
/** Mail bounces, and texts arrive. */
const patient = { given: "Robin", family: "Reminded", birthDate: "1982-03-04", phone: "+16175553922" } satisfies Caller;

beforeAll(async () => {
  it = await sharedPlatform({ voices: true });
  table = openTable(it.dataDir);
  const ehr = await openEhr(it.platform.sandbox);
  await ehr.addPatient({
    resourceType: "Patient",
    active: true,
    name: [{ use: "official", family: patient.family, given: [patient.given] }],
    birthDate: patient.birthDate,
    telecom: [
      { system: "phone", value: patient.phone },
      { system: "email", value: "bounce+reminder@simulator.amazonses.com" },
    ],
  });
  await ehr.close();
  for (const { id, admin } of it.demo.tenants.slice(0, 2)) {
    tenantIds.push(id);
    const token = await it.tokenOf(admin.email, admin.password);
    const businessHours = { start: "00:00", end: "23:59", timezone: noonZone, days: null };
    const body = { businessHours, defaultMethod: "email" };
    const { status, text } = await it.api("PUT", "/api/tenant/contact-preferences", { token, body });
    if (status !== 200) throw new Error(`The hours were not taken: ${status} ${text}`);
  }
});
afterAll(async () => {
  table.close();
  await it.close();
});

const waiting = async (): Promise<OutgoingRow[]> =>
  ((await table.rows("PLATFORM#OUTGOING#")) as unknown as OutgoingRow[]).filter(({ tenantId }) => tenantIds.includes(tenantId));
const putRow = (row: OutgoingRow) => table.put({ ...row, ...outgoingKey(row).primaryKeyIn(row.tenantId) });

/** The next run of the schedule, at which every reminder of this file is due. */
async function remind(): Promise<void> {
  for (const row of await waiting()) {
    await putRow({ ...row, dueAt: new Date(Date.now() - 1000).toISOString() });
    await table.remove(outgoingKey(row).primaryKeyIn(row.tenantId));
  }
  await it.platform.cloud.runScheduled("events-remind");
  await it.platform.cloud.drained();
}

test("a reminder whose mail came back is sent as a text once its receipt is read, by its own tenant", async () => {
  const line = openLine(it.api, it.demo.tenants[0]!.apiKey, patient);
  expect(await line.verify()).toMatchObject({ ok: true });
  const { found } = await line.find();
  const later = found?.slots?.find(({ start }) => Date.parse(start) > Date.now() + 25 * 3_600_000);
  expect(await line.book(later!.slotId)).toMatchObject({ ok: true });
  await it.platform.cloud.drained();
  for (const _run of ["plans", "mails", "texts"]) {
    expect(await waiting()).toHaveLength(1);
    await remind();
  }
  expect(await waiting()).toEqual([]);
  const sent: object[] = [];
  for (const { admin } of it.demo.tenants.slice(0, 2)) {
    const token = await it.tokenOf(admin.email, admin.password);
    sent.push((await it.api<Message[]>("GET", "/api/tenant/messages", { token })).json.map(({ channel, status }) => ({ channel, status })));
  }
  expect(sent).toEqual([
    [
      { channel: "sms", status: "delivered" },
      { channel: "email", status: "bounced" },
    ],
    [],
  ]);
});

test("when more reminders are due than one invocation sends, it starts others, which conclude their part", async () => {
  const start = new Date(Date.now() + 20 * 3_600_000).toISOString();
  const reminders = Array.from({ length: 301 }, (_, at): OutgoingRow => ({
    ...{ kind: "reminder", tenantId: tenantIds[at % 2]!, id: `shared${at}`, dueAt: new Date(Date.now() - 1000).toISOString() },
    ...{ providerId: "p", appointmentId: "a", start, planned: true, expiresAt: Math.floor(Date.parse(start) / 1000) },
    sent: { messageId: `none${at}`, tried: ["email"] },
  }));
  await Promise.all(reminders.map(putRow));
  await it.platform.cloud.runScheduled("events-remind");
  await it.platform.cloud.drained();
  expect(await waiting()).toEqual([]);
});
