import type { Message } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEhr } from "../../kit/ehr.ts";
import { openLine, type Caller, type Line } from "../../kit/line.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
const admins: string[] = [];
/** The chart has the mail simulator's address and a number where nothing fails. */
const patient = { given: "Robin", family: "Receipts", birthDate: "1981-02-03", phone: "+16175553911" } satisfies Caller;
const bouncing = "bounce+platform@simulator.amazonses.com";

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const ehr = await openEhr(it.platform.sandbox);
  await ehr.addPatient({
    resourceType: "Patient",
    active: true,
    name: [{ use: "official", family: patient.family, given: [patient.given] }],
    birthDate: patient.birthDate,
    telecom: [
      { system: "phone", value: patient.phone },
      { system: "email", value: bouncing },
    ],
  });
  await ehr.close();
  for (const { admin } of it.demo.tenants.slice(0, 2)) {
    const token = await it.tokenOf(admin.email, admin.password);
    admins.push(token);
    const businessHours = {
      start: "00:00",
      end: "23:59",
      timezone: new Date().getUTCHours() < 12 ? "UTC" : "America/Los_Angeles",
      days: null,
    };
    const { status, text } = await it.api("PUT", "/api/tenant/contact-preferences", { token, body: { businessHours } });
    if (status !== 200) throw new Error(`The hours were not taken: ${status} ${text}`);
  }
});
afterAll(() => it?.close());

const call = async (tenantAt = 0): Promise<Line> => {
  const line = openLine(it.api, it.demo.tenants[tenantAt]?.apiKey ?? "", patient);
  expect(await line.verify()).toMatchObject({ ok: true });
  return line;
};
const messages = async (tenantAt = 0): Promise<Message[]> =>
  (await it.api<Message[]>("GET", "/api/tenant/messages", { token: admins[tenantAt] })).json;
const newest = async ({ callKey }: Line): Promise<Message | undefined> => (await messages()).find(({ callId }) => callId === callKey);

test("a text message from a tool becomes delivered in the list of its own tenant", async () => {
  const line = await call();
  expect(await line.useTool("sendSMS", { purpose: "callback" })).toMatchObject({ ok: true, found: { result: "sent" } });
  await it.platform.cloud.drained();
  expect(await newest(line)).toMatchObject({ channel: "sms", status: "delivered", code: null });
  expect((await messages(1)).filter(({ callId }) => callId === line.callKey)).toEqual([]);
  expect(await (await fetch(it.demo.outbox)).text()).toContain("· delivered");
});

test("mail to an unknown address bounces, and the next one is refused in a clear sentence, by this tenant alone", async () => {
  const line = await call();
  expect(await line.useTool("sendEmail", { purpose: "callback" })).toMatchObject({ ok: true, found: { result: "sent" } });
  await it.platform.cloud.drained();
  expect(await newest(line)).toMatchObject({ channel: "email", status: "bounced", code: null });

  const next = await line.useTool("sendEmail", { purpose: "general" });
  expect(next).toMatchObject({ ok: false, found: { result: "bounced" } });
  expect(next.speech).toBe(
    "The last message to the address that starts with B came back, so I won't send another one there. Please ask the office to check it.",
  );
  const elsewhere = await call(1);
  expect(await elsewhere.useTool("sendEmail", { purpose: "general" })).toMatchObject({ ok: true, found: { result: "sent" } });
  await it.platform.cloud.drained();
  expect(it.logText()).toContain("email bounced");
  for (const secret of [bouncing, patient.phone]) expect(it.logText()).not.toContain(secret);
});
