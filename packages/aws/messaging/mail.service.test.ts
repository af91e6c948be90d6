import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { sendMail } from "./mail.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
});
beforeEach(() => it.fault());
afterAll(() => {
  delete process.env["MAIL_FROM"];
  return it.close();
});

const mail = { to: "ann@example.com", subject: "Your password", text: "Open this link:\nhttp://localhost/x" };

test("a mail is sent from the platform's address, to one address, as plain text", async () => {
  await sendMail(mail);
  expect(it.aws.ses.mails().at(-1)).toMatchObject({
    from: "Vitaline <no-reply@vitaline.example>",
    to: ["ann@example.com"],
    subject: mail.subject,
    text: mail.text,
  });
});

test("a failed request to SES is retried", async () => {
  let failures = 1;
  it.fault(({ service }) => (service === "ses" && failures-- > 0 ? { status: 500, code: "InternalFailure", message: "later" } : undefined));
  const before = it.aws.ses.mails().length;
  await sendMail(mail);
  expect(it.aws.ses.mails()).toHaveLength(before + 1);
});

test.each<[what: string, fault: { status: number; code: string; message: string } | "drop"]>([
  ["is down", { status: 503, code: "ServiceUnavailable", message: "later" }],
  ["cuts the connection", "drop"],
  ["has paused sending", { status: 400, code: "SendingPausedException", message: "paused" }],
  ["throttles", { status: 429, code: "TooManyRequestsException", message: "slower" }],
])("an SES that %s is unavailable", async (_what, fault) => {
  it.fault(({ service }) => (service === "ses" ? fault : undefined));
  await expect(sendMail(mail)).rejects.toMatchObject({ code: "unavailable" });
});

test("a mail that SES rejects because of our own mistake is not reported as unavailable", async () => {
  await expect(sendMail({ ...mail, subject: "a\r\nb" })).rejects.toMatchObject({ name: "BadRequestException" });
});
