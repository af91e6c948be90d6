import { expect, test } from "vitest";
import { mailFrom, sendMailOnce } from "./mail.ts";
import { sendText } from "./sms.ts";

test("a stage without a number and an address sends nothing, and says so", async () => {
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
  expect(mailFrom()).toBeUndefined();
  expect(await sendText({ to: "+16175550142", text: "x" })).toEqual({ status: "failed", reason: "not_set_up" });
  expect(await sendMailOnce({ to: "ann@example.com", subject: "x", text: "x" })).toEqual({ status: "failed", reason: "not_set_up" });
});
