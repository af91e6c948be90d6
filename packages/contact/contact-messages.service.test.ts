import { ContactForm } from "@vitaline/contract";
import { keys, type AuditRow, type ContactMessageRow } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { listContactMessages, mailUnmailed, sendContactMessage } from "./index.ts";

let it: TestAws;
let ctx: PlatformContext;
beforeAll(async () => {
  it = await startTestAws();
  Object.assign(process.env, { MAIL_FROM: "no-reply@vitaline.example", SUPPORT_EMAIL: "support@vitaline.example" });
});
afterAll(() => {
  delete process.env["MAIL_FROM"];
  delete process.env["SUPPORT_EMAIL"];
  return it.close();
});
let visitors = 0;
beforeEach(() => {
  it.fault();
  visitors += 1;
  ctx = visitor(`198.51.100.${visitors}`);
});

const visitor = (clientAddress: string): PlatformContext => {
  const here = { ...it.platform({ kind: "nobody", id: "anonymous" }), clientAddress };
  return { ...here, platform: platformStore(here) };
};
const form = (more: object = {}): ContactForm =>
  z.parse(ContactForm, { firstName: "Ann", lastName: "Lee", email: "Ann@Example.com", message: "one\r\ntwo", ...more });
const month = (): string => new Date().toISOString().slice(0, 7);
const stored = async () => (await ctx.platform.query<ContactMessageRow>(keys.partitions.contact(month()))).rows;
const sesIsDown = (): void =>
  it.fault(({ service }) => (service === "ses" ? { status: 400, code: "SendingPausedException", message: "x" } : undefined));

test("a message is stored sealed, mailed to support and shown to administrators unchanged", async () => {
  await sendContactMessage(ctx, form({ industry: "dental", company: "Smiles & Co", phone: "" }));
  const mail = it.aws.ses.mails().at(-1)!;
  expect(mail).toMatchObject({ to: ["support@vitaline.example"], subject: "A message from the contact form" });
  expect(mail.text).toBe("From: Ann Lee <ann@example.com>\nCompany: Smiles & Co\nIndustry: dental\n\none\ntwo");
  expect(JSON.stringify(await stored())).not.toMatch(/Ann|Smiles|two/);
  const [shown] = (await listContactMessages(ctx, {})).rows;
  expect(shown).toMatchObject({
    firstName: "Ann",
    email: "ann@example.com",
    phone: null,
    company: "Smiles & Co",
    industry: "dental",
    message: "one\ntwo",
  });
  expect(shown!.mailedAt).not.toBeNull();
});

test("a message is accepted while mail cannot be sent, and mailed once when it can again", async () => {
  sesIsDown();
  expect(await sendContactMessage(ctx, form({ message: "while down" }))).toEqual({ received: true });
  await mailUnmailed(it.platform());
  const find = async () => (await listContactMessages(ctx, {})).rows.find(({ message }) => message === "while down");
  expect((await find())!.mailedAt).toBeNull();
  it.fault();
  for (let run = 0; run < 2; run++) await mailUnmailed(it.platform());
  expect((await find())!.mailedAt).not.toBeNull();
  expect(it.aws.ses.mails().filter(({ text }) => text?.includes("while down"))).toHaveLength(1);
});

test("a message that could not be stored is not accepted, and not mailed", async () => {
  const [before, mails] = [(await stored()).length, it.aws.ses.mails().length];
  it.fault(({ operation }) =>
    operation === "TransactWriteItems" ? { status: 400, code: "ThrottlingException", message: "later" } : undefined,
  );
  await expect(sendContactMessage(ctx, form())).rejects.toMatchObject({ code: "unavailable" });
  it.fault();
  expect([(await stored()).length, it.aws.ses.mails().length]).toEqual([before, mails]);
});

test("a message with the honeypot field gets the same answer, and is neither stored nor mailed", async () => {
  const [before, mails] = [(await stored()).length, it.aws.ses.mails().length];
  expect(await sendContactMessage(ctx, form({ website: "https://spam.example" }))).toEqual({ received: true });
  expect([(await stored()).length, it.aws.ses.mails().length]).toEqual([before, mails]);
});

test("one address may send five messages an hour, even concurrently; other addresses have their own limit", async () => {
  const sent = await Promise.allSettled(Array.from({ length: 8 }, () => sendContactMessage(ctx, form())));
  expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  await expect(sendContactMessage(ctx, form())).rejects.toMatchObject({ code: "too_many_requests", retryAfterSeconds: expect.any(Number) });
  await sendContactMessage(visitor("203.0.113.200"), form());
});

test("the audit has the message's id and address, and not the sender", async () => {
  await sendContactMessage(ctx, form());
  const { rows } = await ctx.platform.query<AuditRow>(keys.partitions.platformAudit(month(), "api_call"), { descending: true, limit: 1 });
  expect(rows[0]).toMatchObject({ action: "contact.create", actorKind: "nobody", clientAddress: ctx.clientAddress });
  expect(JSON.stringify(rows)).not.toMatch(/Ann|example/);
});

test("the reader and the number of messages are audited before they are shown; their content is not", async () => {
  for (const message of ["first", "second", "third"]) await sendContactMessage(ctx, form({ message }));
  const reader = it.platform({ kind: "user", id: "root1", role: "system_admin" });
  const told = async () => (await ctx.platform.query<AuditRow>(keys.partitions.platformAudit(month(), "data_query"))).rows;
  const before = (await told()).length;
  await listContactMessages(reader, { limit: 2 });
  const rows = (await told()).slice(before);
  expect(rows).toMatchObject([{ action: "contactMessage.read", resourceType: "ContactMessage", actorId: "root1", detail: { rows: 2 } }]);
  expect(JSON.stringify(rows)).not.toMatch(/Ann|example|third/);
  it.fault(({ operation }) => (operation === "PutItem" ? { status: 400, code: "ThrottlingException", message: "later" } : undefined));
  await expect(listContactMessages(reader, {})).rejects.toMatchObject({ code: "unavailable" });
});

test("a month's messages are paged, newest first, with one query each", async () => {
  for (const message of ["first", "second", "third"]) await sendContactMessage(ctx, form({ message }));
  const page = await listContactMessages(ctx, { limit: 2 });
  expect(page.rows.map(({ message }) => message)).toEqual(["third", "second"]);
  it.resetUsage();
  const next = await listContactMessages(ctx, { limit: 2, cursor: page.next });
  expect(next.rows[0]!.message).toBe("first");
  expect(it.usage().map(({ operation }) => operation)).toEqual(["Query", "PutItem"]);
  expect((await listContactMessages(ctx, { month: "2020-01" })).rows).toEqual([]);
});
