import { MessageStatus } from "@vitaline/contract";
import { expect, test } from "vitest";
import { describeStatus, messageStatuses } from "./message-format.ts";

test("every status has a name and a description", () => {
  for (const status of MessageStatus.options) {
    expect(messageStatuses[status].name).toMatch(/^[A-Z]/);
    expect(describeStatus({ status, code: null })).toMatch(/^[A-Z].*\.$/);
  }
});

test("describes a known failure reason, and only for failed messages", () => {
  expect(describeStatus({ status: "failed", code: "contact_not_on_file" })).toBe("The number or address is not on file.");
  for (const code of ["not_found", "deadline_exceeded", "ehr_forbidden"])
    expect(describeStatus({ status: "failed", code })).toMatch(/^It was not sent: /);
  expect(describeStatus({ status: "failed", code: "something_new" })).toBe("The mail or text service rejected it.");
  expect(describeStatus({ status: "delivered", code: "not_doable" })).toBe("It reached the recipient's mail server or carrier.");
});
