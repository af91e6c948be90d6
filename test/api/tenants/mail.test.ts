import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { ContactMessage, PublicConfig, PublicHealth } from "@vitaline/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AwsOptions, StoredMail } from "../../../packages/local-cloud/aws/index.ts";
import { sharedPlatform, supportEmail as support, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
let admin: string;
let hook: AwsOptions["fault"];
beforeAll(async () => {
  it = await sharedPlatform({ fault: (call) => hook?.(call) });
  admin = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
});
beforeEach(async () => {
  hook = undefined;
  await it.forgetAttempts();
});
afterAll(() => it.close());

const form = (message: string, more: object = {}) => ({ firstName: "Ann", lastName: "Lee", email: "ann@example.com", message, ...more });
const send = (body: object) => it.api<{ received: boolean }>("POST", "/api/contact", { body });
const outbox = async (): Promise<StoredMail[]> => (await (await fetch(`${it.demo.outbox}?format=json`)).json()) as StoredMail[];
const messages = async (query = ""): Promise<ContactMessage[]> =>
  (await it.api<ContactMessage[]>("GET", `/api/admin/contact-messages${query}`, { token: admin })).json;

test("D1.2-046 a contact message is accepted, mailed to support, and visible to system administrators alone", async () => {
  const { status, json } = await send(form("line one\nline two <b>", { industry: "dental", phone: "", company: null }));
  expect([status, json]).toEqual([201, { received: true }]);
  const [mail] = await outbox();
  expect(mail).toMatchObject({ from: "no-reply@vitaline.example", to: [support], subject: "A message from the contact form" });
  expect(mail!.text).toContain("line one\nline two <b>");
  expect(await (await fetch(it.demo.outbox)).text()).toContain("line two &lt;b&gt;");
  expect((await messages())[0]).toMatchObject({
    ...form("line one\nline two <b>"),
    industry: "dental",
    phone: null,
    mailedAt: expect.any(String),
  });
  const [clinic] = it.demo.tenants;
  const tenantToken = await it.tokenOf(clinic!.admin.email, clinic!.admin.password);
  expect((await it.api("GET", "/api/admin/contact-messages", { token: tenantToken })).status).toBe(403);
  expect((await it.api("GET", "/api/admin/contact-messages")).status).toBe(401);
});

test("mail in the data folder is readable by its owner alone", async () => {
  expect((await send(form("to be kept"))).status).toBe(201);
  const folder = path.join(it.dataDir, "mail");
  const files = await readdir(folder);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
});

test("a message is accepted while mail fails, and is sent with the next scheduled run", async () => {
  hook = ({ service }) => (service === "ses" ? { status: 503, code: "ServiceUnavailable", message: "later" } : undefined);
  expect((await send(form("while mail is down"))).status).toBe(201);
  expect((await messages())[0]).toMatchObject({ message: "while mail is down", mailedAt: null });
  hook = undefined;
  await it.platform.cloud.runScheduled("events-health");
  expect((await outbox())[0]!.text).toContain("while mail is down");
  expect((await messages())[0]!.mailedAt).not.toBeNull();
});

test("D1.5-004 an incomplete form is refused by field, and one filled by a bot is dropped silently", async () => {
  for (const field of ["firstName", "lastName", "email", "message"]) {
    const { status, json } = await it.api("POST", "/api/contact", { body: form("x", { [field]: "" }) });
    expect([status, Object.keys(json.fields)]).toEqual([400, [field]]);
  }
  const before = [(await messages()).length, (await outbox()).length];
  expect((await send(form("buy now", { website: "https://spam.example" }))).json).toEqual({ received: true });
  expect([(await messages()).length, (await outbox()).length]).toEqual(before);
});

test("one address sends five messages an hour, and is then told when it may retry", async () => {
  for (let count = 1; count <= 5; count++) expect((await send(form(`number ${count}`))).status).toBe(201);
  const { status, headers } = await send(form("number six"));
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});

test("a function's log contains nothing of a message", async () => {
  expect((await send(form("line two <b> while mail is down"))).status).toBe(201);
  expect(it.logText()).toContain("POST /api/contact");
  for (const word of ["ann@example.com", "line two", "while mail is down"]) expect(it.logText()).not.toContain(word);
});

test("D1.9-043 D1.9-041 the public configuration has the support contact and the promotion", async () => {
  const { json, headers } = await it.api<PublicConfig>("GET", "/api/public/config");
  expect(json).toEqual({
    schedulingUrl: null,
    support: { email: support, phone: null, hours: "9-6 EST Monday to Friday, Saturday 10-4, Sunday closed" },
    promotion: { active: true, label: "For the first 100 MVP members", remaining: 7 },
    origin: it.origin,
  });
  expect(headers.get("cache-control")).toBe("public, max-age=300");
});

test("any client may read whether the platform works, and nothing else", async () => {
  const { status, json, headers } = await it.api<PublicHealth>("GET", "/api/public/health");
  expect([status, json]).toEqual([200, { status: "ok", time: expect.any(String) }]);
  expect(headers.get("cache-control")).toBe("public, max-age=10");
});

test("the API serves its description", async () => {
  const { json } = await it.api("GET", "/api/openapi.json");
  expect(json).toMatchObject({ openapi: "3.1.0", paths: { "/api/auth/login": {} } });
});
