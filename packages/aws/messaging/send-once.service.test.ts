import { PinpointSMSVoiceV2Client, PutOptedOutNumberCommand } from "@aws-sdk/client-pinpoint-sms-voice-v2";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { mailFrom } from "./mail-from.ts";
import { sendMailOnce } from "./mail.ts";
import { sendText } from "./sms.ts";

const origin = "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test";
let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  process.env["SMS_ORIGINATION"] = origin;
});
beforeEach(() => it.fault());
afterAll(() => {
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
  return it.close();
});

const text = { to: "+16175550142", text: "See you soon" };
const mail = { to: "ann@example.com", subject: "A message", text: "See you soon" };
/** Both channels, each with its number of sent messages. */
const ways = [
  ["text", "sms-voice", (signal?: AbortSignal) => sendText(text, signal), () => it.aws.sms.texts().length],
  ["mail", "ses", (signal?: AbortSignal) => sendMailOnce(mail, [], signal), () => it.aws.ses.mails().length],
] as const;

test("a text is sent from the stage's own number, and the result contains its id", async () => {
  const delivery = await sendText(text);
  const sent = it.aws.sms.texts().at(-1);
  expect(sent).toMatchObject({ ...text, from: origin });
  expect(delivery).toEqual({ status: "sent", providerMessageId: sent?.id });
});

test("a mail is sent with its attachment", async () => {
  const calendar = { fileName: "a.ics", contentType: "text/calendar; method=PUBLISH", content: "BEGIN:VCALENDAR ü" };
  const delivery = await sendMailOnce(mail, [calendar]);
  const sent = it.aws.ses.mails().at(-1);
  expect(sent).toMatchObject({ to: [mail.to], subject: mail.subject, text: mail.text, attachments: [calendar] });
  expect(delivery).toEqual({ status: "sent", providerMessageId: sent?.id });
});

test("a number that opted out is reported", async () => {
  const client = new PinpointSMSVoiceV2Client({});
  await client.send(new PutOptedOutNumberCommand({ OptOutListName: "Default", OptedOutNumber: "+16175550199" }));
  client.destroy();
  expect(await sendText({ ...text, to: "+16175550199" })).toEqual({ status: "opted_out" });
});

test.each(ways)("a throttled %s is tried at most three times", async (_what, service, send, count) => {
  for (const [failures, wanted] of [
    [2, { status: "sent" }],
    [99, { status: "failed", reason: "throttled" }],
  ] as const) {
    let left: number = failures;
    let asked = 0;
    it.fault((call) => {
      if (call.service !== service) return undefined;
      asked += 1;
      return left-- > 0 ? { status: 400, code: "ThrottlingException", message: "slower" } : undefined;
    });
    const before = count();
    expect(await send()).toMatchObject(wanted);
    expect([asked, count() - before]).toEqual([3, wanted.status === "sent" ? 1 : 0]);
  }
});

test.each(ways)("a %s with a lost response is sent once, and is unknown", async (_what, service, send, count) => {
  for (const how of ["after", "drop"] as const) {
    it.fault((call) => (call.service === service ? how : undefined));
    const before = count();
    expect(await send()).toEqual({ status: "unknown" });
    expect(count() - before).toBe(how === "after" ? 1 : 0);
  }
});

test.each(ways)("a %s that AWS rejects, or cannot accept, has failed and is not retried", async (_what, service, send) => {
  for (const [status, reason] of [
    [403, "refused"],
    [500, "unreachable"],
  ] as const) {
    let asked = 0;
    it.fault((call) => (call.service === service ? { status, code: "SomeException", message: `no ${++asked}` } : undefined));
    expect(await send()).toEqual({ status: "failed", reason });
    expect(asked).toBe(1);
  }
});

test.each(ways)("a %s is not retried after the signal, and one in progress then is unknown", async (_what, service, send, count) => {
  const before = count();
  for (const [how, wanted] of [
    [
      { status: 400, code: "ThrottlingException", message: "slower" },
      { status: "failed", reason: "throttled" },
    ],
    ["drop", { status: "unknown" }],
  ] as const) {
    const late = new AbortController();
    let asked = 0;
    it.fault((call) => {
      if (call.service !== service) return undefined;
      asked += 1;
      // The response has arrived, and the wait before the retry, at least 100 ms, has begun.
      if (how === "drop") late.abort();
      else setTimeout(() => late.abort(), 90);
      return how;
    });
    expect(await send(late.signal)).toEqual(wanted);
    expect(asked).toBe(1);
    expect(await send(late.signal)).toEqual({ status: "failed", reason: "out_of_time" });
    expect(asked).toBe(1);
  }
  expect(count()).toBe(before);
});

test("a stage without a number and a mail address reports that it is not set up", async () => {
  const configured = process.env;
  // Variables are read again from another object.
  process.env = { ...configured };
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
  try {
    expect(mailFrom()).toBeUndefined();
    expect(await sendText({ to: "+16175550142", text: "x" })).toEqual({ status: "failed", reason: "not_set_up" });
    expect(await sendMailOnce({ to: "ann@example.com", subject: "x", text: "x" })).toEqual({ status: "failed", reason: "not_set_up" });
  } finally {
    process.env = configured;
  }
});
