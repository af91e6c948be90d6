import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SendEmailCommand, type SendEmailCommandInput } from "@aws-sdk/client-sesv2";
import { account, clientsAt, region, startEndpoint, type Endpoint } from "../endpoint.fixture.ts";

let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint();
  it.aws.ses.ensureIdentity("Clinic.example");
});
afterAll(() => it.close());

const mail = (more: Partial<SendEmailCommandInput> = {}): SendEmailCommand =>
  new SendEmailCommand({
    FromEmailAddress: '"The clinic" <no-reply@clinic.example>',
    Destination: { ToAddresses: ["Ann <ann@example.com>"] },
    Content: { Simple: { Subject: { Data: "Grüße <b>" }, Body: { Text: { Data: "one\ntwo" } } } },
    ...more,
  });
const identity = (name: string) => `arn:aws:ses:${region}:${account}:identity/${name}`;

test("a mail is stored as it was sent", async () => {
  const { MessageId } = await it.ses.send(mail({ ReplyToAddresses: ["help@clinic.example"] }));
  expect(it.aws.ses.mails().at(-1)).toMatchObject({
    id: MessageId,
    from: '"The clinic" <no-reply@clinic.example>',
    to: ["Ann <ann@example.com>"],
    replyTo: ["help@clinic.example"],
    subject: "Grüße <b>",
    text: "one\ntwo",
  });
});

test("an attachment is stored with its mail and needs ses:SendRawEmail", async () => {
  const withFile = mail({
    Content: {
      Simple: {
        Subject: { Data: "a" },
        Body: { Text: { Data: "x" } },
        Attachments: [{ FileName: "a.ics", ContentType: "text/calendar; method=PUBLISH", RawContent: Buffer.from("BEGIN:VCALENDAR ü") }],
      },
    },
  });
  await it.ses.send(withFile);
  expect(it.aws.ses.mails().at(-1)?.attachments).toEqual([
    { fileName: "a.ics", contentType: "text/calendar; method=PUBLISH", content: "BEGIN:VCALENDAR ü" },
  ]);
  const grant = (...Action: string[]) => [{ Effect: "Allow" as const, Action, Resource: identity("clinic.example") }];
  await it.as("files", grant("ses:SendEmail", "ses:SendRawEmail")).ses.send(withFile);
  await expect(it.as("no-files", grant("ses:SendEmail")).ses.send(withFile)).rejects.toMatchObject({ name: "AccessDeniedException" });
});

test("a sender that belongs to no declared identity is refused, and nothing is kept", async () => {
  const before = it.aws.ses.mails().length;
  await expect(it.ses.send(mail({ FromEmailAddress: "me@elsewhere.example" }))).rejects.toMatchObject({ name: "MessageRejected" });
  expect(it.aws.ses.mails()).toHaveLength(before);
});

test("A09: a declared domain is the identity of its subdomains, unless the nearer one is declared", async () => {
  it.aws.ses.ensureIdentity("above.example");
  const from = (sender: string) =>
    it
      .as("subdomains", [{ Effect: "Allow", Action: "ses:SendEmail", Resource: identity("above.example") }])
      .ses.send(mail({ FromEmailAddress: sender }));
  await from("no-reply@app.above.example");
  it.aws.ses.ensureIdentity("nearer.above.example");
  await expect(from("no-reply@nearer.above.example")).rejects.toMatchObject({ name: "AccessDeniedException" });
  await expect(from("no-reply@notabove.example")).rejects.toThrow();
});

test("a role may send only as its granted identity, under its conditions", async () => {
  const grant = (resource: string, from = "no-reply@clinic.example") => [
    { Effect: "Allow" as const, Action: "ses:SendEmail", Resource: resource, Condition: { StringEquals: { "ses:FromAddress": from } } },
  ];
  await it.as("mailer", grant(identity("clinic.example"))).ses.send(mail());
  for (const [role, statements] of Object.entries({
    "other-identity": grant(identity("other.example")),
    "other-address": grant(identity("clinic.example"), "boss@clinic.example"),
    nothing: [],
  }))
    await expect(it.as(role, statements).ses.send(mail())).rejects.toMatchObject({
      name: "AccessDeniedException",
      $metadata: { httpStatusCode: 403 },
    });
});

type Told = { eventType: string; mail: { messageId: string; tags: Record<string, string[]> }; bounce?: { bounceType: string } };

test("a mail's events follow the simulator's addresses, with its tags; other mail is delivered", async () => {
  const told: [topicArn: string, event: Told][] = [];
  const set = "receipts";
  const other = await startEndpoint({ publish: (topicArn, message) => void told.push([topicArn, JSON.parse(message) as Told]) });
  other.aws.ses.ensureConfigurationSet(set, [{ topicArn: "topic", eventTypes: ["delivery", "bounce", "complaint"] }]);
  for (const [to, fate, kinds] of [
    ["ann@example.com", "delivered", ["Delivery"]],
    ["success@simulator.amazonses.com", "delivered", ["Delivery"]],
    ["bounce+some-label@simulator.amazonses.com", "bounced", ["Bounce"]],
    ["suppressionlist@simulator.amazonses.com", "bounced", ["Bounce"]],
    ["ooto@simulator.amazonses.com", "delivered", ["Delivery", "Bounce"]],
    ["Complaint@simulator.amazonses.com", "complained", ["Delivery", "Complaint"]],
  ] as const) {
    told.length = 0;
    const tagged = { ConfigurationSetName: set, EmailTags: [{ Name: "messageId", Value: "m1" }], Destination: { ToAddresses: [to] } };
    const { MessageId } = await other.ses.send(mail(tagged));
    expect(other.aws.ses.mails().at(-1)).toMatchObject({ id: MessageId, fate });
    expect(told.map(([topicArn, { eventType }]) => [topicArn, eventType])).toEqual(kinds.map((kind) => ["topic", kind]));
    for (const [, event] of told) {
      expect(event.mail).toMatchObject({ messageId: MessageId, destination: [to] });
      expect(event.mail.tags).toMatchObject({ messageId: ["m1"], "ses:configuration-set": [set] });
    }
    const permanent = told.some(([, { bounce }]) => bounce?.bounceType === "Permanent");
    expect(permanent).toBe(fate === "bounced");
  }
  told.length = 0;
  await other.ses.send(mail());
  expect(told).toEqual([]);
  await expect(other.ses.send(mail({ ConfigurationSetName: "unknown" }))).rejects.toMatchObject({ name: "NotFoundException" });
  await other.close();
});

test("a role may send only under its granted configuration set", async () => {
  const grant = (...Resource: string[]) => [{ Effect: "Allow" as const, Action: "ses:SendEmail", Resource }];
  const under = `arn:aws:ses:${region}:${account}:configuration-set/receipts`;
  await it.as("told", grant(identity("clinic.example"), under)).ses.send(mail({ ConfigurationSetName: "receipts" }));
  await expect(
    it.as("untold", grant(identity("clinic.example"))).ses.send(mail({ ConfigurationSetName: "receipts" })),
  ).rejects.toMatchObject({ name: "AccessDeniedException" });
});

test.each<[what: string, more: Partial<SendEmailCommandInput>]>([
  ["a tag that SES would not take", { EmailTags: [{ Name: "name", Value: "Ann Lee" }] }],
  ["no receiver", { Destination: {} }],
  ["a receiver without a domain", { Destination: { ToAddresses: ["ann"] } }],
  ["a subject of two lines", { Content: { Simple: { Subject: { Data: "a\r\nBcc: b@c.d" }, Body: { Text: { Data: "x" } } } } }],
  ["no body", { Content: { Simple: { Subject: { Data: "a" }, Body: {} } } }],
  ["a raw message, which is not supported here", { Content: { Raw: { Data: new Uint8Array([1]) } } }],
])("a mail with %s is a bad request", async (_what, more) => {
  await expect(it.ses.send(mail(more))).rejects.toMatchObject({ name: "BadRequestException" });
});

test("an acknowledged mail survives a kill, in a file with mode 0600", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "ses-test-"));
  const child = fork(join(import.meta.dirname, "../dynamodb/crash-child.fixture.ts"), [dataDir, "any-table"]);
  const [url] = (await once(child, "message")) as [string];
  const clients = clientsAt(url, "operator");
  const { MessageId } = await clients.ses.send(mail());
  child.kill("SIGKILL");
  await once(child, "exit");
  clients.destroy();
  const again = await startEndpoint({ dataDir });
  expect(again.aws.ses.mails().map(({ id }) => id)).toEqual([MessageId]);
  for (const file of readdirSync(join(dataDir, "mail"))) expect(statSync(join(dataDir, "mail", file)).mode & 0o777).toBe(0o600);
  await again.close();
  rmSync(dataDir, { recursive: true });
});
