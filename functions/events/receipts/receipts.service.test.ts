import { sha256In, newId } from "@vitaline/core";
import { listMessages, messageDetail, type MessageRequest, optOut, sendNow, sendOneTimeCode, type SendResult } from "@vitaline/messages";
import { keys, type MessageRow, type TenantContext, type TenantRow, tenantStore } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { positionOf } from "../../lib/dynamodb-stream/stream-event.ts";
import { readMessage, projectMessages } from "../project/projections/messages.ts";
import { handler } from "./handler.ts";

const set = "receipts";
const environment = {
  MAIL_FROM: "Vitaline <no-reply@vitaline.example>",
  MAIL_CONFIGURATION_SET: set,
  SMS_ORIGINATION: "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test",
  SMS_CONFIGURATION_SET: set,
};
let it: TestAws;
let tenants: [TenantRow, TenantRow];
/** The receipts of SES and AWS End User Messaging that are not yet delivered. */
let told: string[] = [];
let printed = "";

beforeAll(async () => {
  Object.assign(process.env, environment);
  it = await startTestAws({ publish: (_topic, message) => void told.push(message) });
  const topicArn = "arn:aws:sns:us-east-1:000000000000:receipts";
  it.aws.ses.ensureConfigurationSet(set, [{ topicArn, eventTypes: ["delivery", "bounce", "complaint"] }]);
  it.aws.sms.ensureConfigurationSet(set, [{ topicArn, eventTypes: ["TEXT_DELIVERED", "TEXT_UNREACHABLE"] }]);
  tenants = [
    await addTenantRow(it.platform(), it.tenants[0], "North Clinic"),
    await addTenantRow(it.platform(), it.tenants[1], "South Clinic"),
  ];
  vi.spyOn(process.stdout, "write").mockImplementation((line) => Boolean((printed += String(line))));
});
beforeEach(() => {
  told = [];
  printed = "";
});
afterAll(() => {
  vi.restoreAllMocks();
  for (const name of Object.keys(environment)) delete process.env[name];
  return it.close();
});

type Which = 0 | 1;
const ctx = (which: Which, now = new Date()): TenantContext => {
  const own = { ...it.inTenant(it.tenants[which]), clock: () => now };
  return { ...own, store: tenantStore(own, own.tenantId) };
};
const send = (which: Which, request: Pick<MessageRequest, "channel" | "to">, now?: Date): Promise<SendResult> =>
  sendNow(ctx(which, now), { key: sha256In("test", newId()), tenant: tenants[which], request: { purpose: "general", ...request } });
const invocation = { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000, functionName: "f", invokedFunctionArn: "f" };
const tell = (messages: string[]) => handler({ Records: messages.map((Message) => ({ Sns: { Message } })) }, invocation);
/** Projects the message's audit row. */
const project = async (which: Which, sent: SendResult): Promise<void> => {
  const message = readMessage(it.tenants[which], { at: new Date().toISOString(), code: sent.code, detail: messageDetail(sent) });
  await projectMessages(it.platform(), message ? [{ position: positionOf(newId()), message }] : [], "lane");
};
const listed = async (which: Which) => (await listMessages(ctx(which), { limit: 1000 })).rows;
const statusOf = async (which: Which, { id }: SendResult) => (await listed(which)).find((one) => one.id === id)?.status;
let numbers = 0;
const newAddress = (mailbox?: string): string =>
  mailbox ? `${mailbox}+${numbers++}@simulator.amazonses.com` : `patient${numbers++}@example.com`;
const newNumber = (): string => `+1617555${String(4000 + numbers++)}`;
const mailTo = (mailbox?: string) => ({ channel: "email", to: newAddress(mailbox) }) as const;

describe("a message", () => {
  test("becomes delivered in its own tenant's list, if its receipt or its row is first", async () => {
    for (const request of [mailTo(), { channel: "sms", to: newNumber() } as const]) {
      for (const order of ["row first", "receipt first"]) {
        told = [];
        const sent = await send(0, request);
        expect(sent.status).toBe("sent");
        if (order === "row first") await project(0, sent);
        if (order === "row first") expect(await statusOf(0, sent)).toBe("sent");
        await tell(told);
        if (order === "receipt first") expect(await statusOf(0, sent)).toBeUndefined();
        await project(0, sent);
        expect((await listed(0)).find(({ id }) => id === sent.id)).toMatchObject({ status: "delivered", purpose: "general", code: null });
        expect(await statusOf(1, sent)).toBeUndefined();
      }
    }
  });

  test("with an unknown outcome becomes delivered with its receipt", async () => {
    it.fault(({ service }) => (service === "sms-voice" ? "after" : undefined));
    const sent = await send(1, { channel: "sms", to: newNumber() });
    it.fault();
    expect(sent.status).toBe("unknown");
    await project(1, sent);
    await tell(told);
    expect((await listed(1)).find(({ id }) => id === sent.id)).toMatchObject({ status: "delivered", code: null });
  });

  test("that cannot be delivered shows the outcome: failed, bounced or complained", async () => {
    for (const [request, status] of [
      [{ channel: "sms", to: "+14254147167" }, "undeliverable"],
      [mailTo("bounce"), "bounced"],
      [mailTo("suppressionlist"), "bounced"],
      [mailTo("ooto"), "delivered"],
      [mailTo("complaint"), "complained"],
    ] as const) {
      told = [];
      const sent = await send(0, request);
      await project(0, sent);
      await tell(told);
      expect([request.to, await statusOf(0, sent)]).toEqual([request.to, status]);
    }
  });

  test("has the same final state for any order and repetition of its receipts and its row", async () => {
    const kinds = ["Delivery", "DeliveryDelay", "Transient", "Permanent", "Complaint"] as const;
    const last = { DeliveryDelay: 1, Transient: 2, Delivery: 3, Permanent: 4, Complaint: 5 };
    const statuses = ["sent", "delayed", "undeliverable", "delivered", "bounced", "complained"];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...kinds, "row"), { minLength: 1, maxLength: 8 }), async (words) => {
        const tenantId = it.tenants[0];
        const sent: SendResult = { id: newId(), channel: "email", purpose: "general", status: "sent", providerMessageId: "p" };
        const event = (kind: string) => ({
          eventType: kind === "Transient" || kind === "Permanent" ? "Bounce" : kind,
          mail: { destination: ["order@example.com"], tags: { tenantId: [tenantId], messageId: [sent.id] } },
          bounce: { bounceType: kind },
        });
        for (const word of words) await (word === "row" ? project(0, sent) : tell([JSON.stringify(event(word))]));
        await project(0, sent);
        const highest = Math.max(0, ...words.map((word) => (word === "row" ? 0 : last[word])));
        const row = await ctx(0).store.get<MessageRow>(keys.message(sent.id));
        expect(row).toMatchObject({ id: sent.id, status: "sent", rank: 4, providerMessageId: "p" });
        expect(await statusOf(0, sent)).toBe(statuses[highest]);
      }),
      { numRuns: 25 },
    );
  });

  test("costs one write unit for its delivery", async () => {
    const sent = await send(0, mailTo());
    await project(0, sent);
    it.resetUsage();
    await tell(told);
    expect(it.usage().map(({ operation, writeUnits }) => [operation, writeUnits])).toEqual([["UpdateItem", 1]]);
  });
});

describe("after a bounce", () => {
  test("the address gets no messages of this tenant for thirty days, and the refusal gives the reason", async () => {
    const request = mailTo("bounce");
    await send(0, request);
    await tell(told);
    const before = it.aws.ses.mails().length;
    expect(await send(0, request)).toMatchObject({ status: "failed", code: "not_doable", why: "bounced" });
    const code = { channel: "email", to: request.to, code: "493817", callKey: "c1" } as const;
    await expect(sendOneTimeCode(ctx(0), tenants[0], code)).rejects.toMatchObject({ code: "not_doable" });
    expect(it.aws.ses.mails()).toHaveLength(before);
    expect((await send(1, request)).status).toBe("sent");
    const day = 86_400_000;
    expect((await send(0, request, new Date(Date.now() + 29 * day))).status).toBe("failed");
    expect((await send(0, request, new Date(Date.now() + 31 * day))).status).toBe("sent");
  });

  test("another bounce restarts the thirty days, and a full mailbox does not count", async () => {
    const request = mailTo("bounce");
    await send(0, request);
    await tell([...told, ...told]);
    expect((await send(0, request)).code).toBe("not_doable");
    const other = mailTo("ooto");
    told = [];
    await send(0, other);
    await tell(told);
    expect((await send(0, other)).status).toBe("sent");
  });
});

describe("after a complaint", () => {
  test("the address gets no more messages, with bounces before or after it", async () => {
    const request = mailTo("complaint");
    const { id: messageId } = await send(0, request);
    const mail = { destination: [request.to], tags: { tenantId: [it.tenants[0]], messageId: [messageId] } };
    const bounce = JSON.stringify({ eventType: "Bounce", mail, bounce: { bounceType: "Permanent" } });
    await tell([bounce, ...told, bounce]);
    const late = new Date(Date.now() + 365 * 86_400_000);
    expect(await send(0, request, late)).toMatchObject({ status: "opted_out", code: "opted_out" });
    expect((await send(1, request)).status).toBe("sent");
  });

  test("or a bounce, an opt-out by the patient is unchanged", async () => {
    for (const mailbox of ["bounce", "complaint"]) {
      const request = mailTo(mailbox);
      told = [];
      await send(0, request);
      await optOut(ctx(0), "email", request.to);
      await tell(told);
      expect(await ctx(0).store.get(keys.optOut(request.to))).toEqual({ channel: "email", at: expect.any(String) });
    }
  });
});

describe("the topic's messages", () => {
  test("for other mails and other publishers change nothing and are counted", async () => {
    it.resetUsage();
    const greeting = "Successfully validated SNS topic for Amazon SES event publishing.";
    const untagged = JSON.stringify({ eventType: "Delivery", mail: { destination: ["a@b.example"], tags: {} } });
    await tell([greeting, untagged]);
    const foreign = { tenantId: ["../../x"], messageId: ["TENANT#1"] };
    await tell([JSON.stringify({ eventType: "Delivery", mail: { destination: ["a@b.example"], tags: foreign } })]);
    expect(it.usage()).toEqual([]);
    expect(printed).toContain('"count":2');
  });

  test("leave no personal data in the log", async () => {
    const text = { channel: "sms", to: newNumber() } as const;
    const mail = mailTo("bounce");
    for (const request of [text, mail]) await send(0, request);
    await tell(told);
    expect(printed).toContain("email bounced");
    for (const secret of [text.to, text.to.slice(2), mail.to, "simulator"]) expect(printed).not.toContain(secret);
  });

  test("that cannot be recorded fail, so they are retried; other events are refused", async () => {
    await send(0, mailTo("bounce"));
    it.fault(({ service }) => (service === "dynamodb" ? { status: 500, code: "InternalServerError", message: "no" } : undefined));
    await expect(tell(told)).rejects.toMatchObject({ code: "unavailable" });
    it.fault();
    await expect(handler({ Records: [{ dynamodb: {} }] }, invocation)).rejects.toMatchObject({ code: "invalid_request" });
  });
});
