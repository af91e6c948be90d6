import { expect, test } from "vitest";
import { ApiError } from "../../lib/api/api-error.ts";
import { isDeadLink } from "./mailed-links.ts";

const refusal = (status: number, code: string, fields?: Record<string, string>) =>
  new ApiError(status, "", JSON.stringify({ error: "No.", code, requestId: "r", fields }));

test("a link is dead when no other password would help", () => {
  expect(isDeadLink(refusal(422, "not_doable"))).toBe(true);
  expect(isDeadLink(refusal(400, "invalid_request", { token: "Is too long" }))).toBe(true);
});

test("a link lives on after a poor password, too many attempts, or an answer that never came", () => {
  expect(isDeadLink(refusal(400, "invalid_request", { password: "Is too easy to guess" }))).toBe(false);
  expect(isDeadLink(refusal(429, "too_many_requests"))).toBe(false);
  expect(isDeadLink(new TypeError("Failed to fetch"))).toBe(false);
});
