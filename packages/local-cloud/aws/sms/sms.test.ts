import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  DeleteOptedOutNumberCommand,
  DescribeOptedOutNumbersCommand,
  PutOptedOutNumberCommand,
  SendTextMessageCommand,
  type SendTextMessageCommandInput,
} from "@aws-sdk/client-pinpoint-sms-voice-v2";
import { account, clientsAt, region, startEndpoint, type Endpoint } from "../endpoint.fixture.ts";
import type { Fault } from "../types.ts";

let it: Endpoint;
let fault: Fault;
beforeAll(async () => {
  it = await startEndpoint({ fault: ({ service }) => (service === "sms-voice" ? fault : undefined) });
});
afterAll(() => it.close());

const arn = (name: string) => `arn:aws:sms-voice:${region}:${account}:${name}`;
const origin = arn("pool/pool-local");
const text = (more: Partial<SendTextMessageCommandInput> = {}) =>
  new SendTextMessageCommand({ DestinationPhoneNumber: "+16175550142", OriginationIdentity: origin, MessageBody: "Grüße", ...more });
const list = { OptOutListName: "Default" };

test("a text message is stored as it was sent", async () => {
  const { MessageId } = await it.sms.send(text());
  expect(it.aws.sms.texts().at(-1)).toMatchObject({ id: MessageId, from: origin, to: "+16175550142", text: "Grüße" });
});

test("a number on the opt-out list gets no messages until it is removed", async () => {
  const OptedOutNumber = "+16175550143";
  await it.sms.send(new PutOptedOutNumberCommand({ ...list, OptedOutNumber }));
  const before = it.aws.sms.texts().length;
  await expect(it.sms.send(text({ DestinationPhoneNumber: OptedOutNumber }))).rejects.toMatchObject({
    name: "ConflictException",
    Reason: "DESTINATION_PHONE_NUMBER_OPTED_OUT",
  });
  expect(it.aws.sms.texts()).toHaveLength(before);
  const { OptedOutNumbers } = await it.sms.send(new DescribeOptedOutNumbersCommand({ ...list, OptedOutNumbers: [OptedOutNumber] }));
  expect(OptedOutNumbers).toMatchObject([{ OptedOutNumber, OptedOutTimestamp: expect.any(Date) }]);
  await it.sms.send(new DeleteOptedOutNumberCommand({ ...list, OptedOutNumber }));
  await it.sms.send(text({ DestinationPhoneNumber: OptedOutNumber }));
  for (const gone of [
    new DeleteOptedOutNumberCommand({ ...list, OptedOutNumber }),
    new DescribeOptedOutNumbersCommand({ ...list, OptedOutNumbers: [OptedOutNumber] }),
  ])
    await expect(it.sms.send(gone as DeleteOptedOutNumberCommand)).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});

test("a role may send only from its granted number", async () => {
  const grant = (Resource: string) => [{ Effect: "Allow" as const, Action: "sms-voice:SendTextMessage", Resource }];
  await it.as("texter", grant(origin)).sms.send(text());
  for (const [role, statements] of Object.entries({ elsewhere: grant(arn("pool/other")), nothing: [] }))
    await expect(it.as(role, statements).sms.send(text())).rejects.toMatchObject({ name: "AccessDeniedException" });
  await expect(
    it.as("texter", grant(origin)).sms.send(new PutOptedOutNumberCommand({ ...list, OptedOutNumber: "+16175550143" })),
  ).rejects.toMatchObject({ name: "AccessDeniedException" });
});

test("a message's events carry its context: delivered, except to the simulator's failing number", async () => {
  const told: { eventType: string; messageId: string; context: object; isFinal: boolean }[] = [];
  const other = await startEndpoint({ publish: (_topic, message) => void told.push(JSON.parse(message) as (typeof told)[number]) });
  other.aws.sms.ensureConfigurationSet("receipts", [{ topicArn: "topic", eventTypes: ["TEXT_DELIVERED", "TEXT_UNREACHABLE"] }]);
  for (const [to, eventType, fate] of [
    ["+16175550142", "TEXT_DELIVERED", "delivered"],
    ["+14254147755", "TEXT_DELIVERED", "delivered"],
    ["+14254147167", "TEXT_UNREACHABLE", "undeliverable"],
  ] as const) {
    told.length = 0;
    const Context = { messageId: "m1" };
    const { MessageId } = await other.sms.send(text({ DestinationPhoneNumber: to, ConfigurationSetName: "receipts", Context }));
    expect(other.aws.sms.texts().at(-1)).toMatchObject({ id: MessageId, fate });
    expect(told).toMatchObject([{ eventType, messageId: MessageId, context: Context, isFinal: true, destinationPhoneNumber: to }]);
  }
  told.length = 0;
  await other.sms.send(text());
  expect(told).toEqual([]);
  await expect(other.sms.send(text({ ConfigurationSetName: "unknown" }))).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  await other.close();
});

test.each<[what: string, more: Partial<SendTextMessageCommandInput>]>([
  ["to a number that is not in E.164 form", { DestinationPhoneNumber: "617-555-0142" }],
  ["without words", { MessageBody: "" }],
  ["without an origination identity", { OriginationIdentity: undefined }],
  ["that is only to be tried, which is not supported here", { DryRun: true }],
])("a text message %s is a validation error", async (_what, more) => {
  await expect(it.sms.send(text(more))).rejects.toMatchObject({ name: "ValidationException", Fields: [{ Name: expect.any(String) }] });
});

test("faults fail, delay and lose answers on demand", async () => {
  fault = { status: 400, code: "ThrottlingException", message: "slower" };
  await expect(it.sms.send(text())).rejects.toMatchObject({ name: "ThrottlingException" });
  const before = it.aws.sms.texts().length;
  for (const [broken, kept] of [
    ["drop", 0],
    ["after", 1],
  ] as const) {
    fault = broken;
    await expect(it.sms.send(text())).rejects.toThrow();
    expect(it.aws.sms.texts()).toHaveLength(before + kept);
  }
  fault = undefined;
});

test("an acknowledged text message survives a kill, in a file with mode 0600", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sms-test-"));
  const child = fork(join(import.meta.dirname, "../dynamodb/crash-child.fixture.ts"), [dataDir, "any-table"]);
  const [url] = (await once(child, "message")) as [string];
  const clients = clientsAt(url, "operator");
  const { MessageId } = await clients.sms.send(text());
  await clients.sms.send(new PutOptedOutNumberCommand({ ...list, OptedOutNumber: "+16175550199" }));
  child.kill("SIGKILL");
  await once(child, "exit");
  clients.destroy();
  const again = await startEndpoint({ dataDir });
  expect(again.aws.sms.texts().map(({ id }) => id)).toEqual([MessageId]);
  await expect(again.sms.send(text({ DestinationPhoneNumber: "+16175550199" }))).rejects.toMatchObject({ name: "ConflictException" });
  for (const file of readdirSync(join(dataDir, "sms", "sent")))
    expect(statSync(join(dataDir, "sms", "sent", file)).mode & 0o777).toBe(0o600);
  await again.close();
  rmSync(dataDir, { recursive: true });
});
