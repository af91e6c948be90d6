import { DeliveryStatus, DeliveryType, WebhookEventType } from "@vitaline/contract";
import { expect, test } from "vitest";
import { attemptOutcome, deliveryOutcome, deliveryStatuses, eventHints, eventNames, shortAddress } from "./delivery-format.ts";

const attempt = (httpStatus: number | null, code: string | null) => ({ at: "2026-05-01T10:00:00.000Z", ms: 12, httpStatus, code });

test("every event and every status has a name", () => {
  for (const type of DeliveryType.options) expect(eventNames[type]).toMatch(/^[A-Z]/);
  for (const type of WebhookEventType.options) expect(eventHints[type]).toMatch(/^[A-Z].*\.$/);
  for (const status of DeliveryStatus.options) expect(deliveryStatuses[status].name).toMatch(/^[A-Z]/);
});

test("describes an attempt by its HTTP status or by the reason for its failure", () => {
  expect(attemptOutcome(attempt(204, null))).toBe("Answered 204");
  expect(attemptOutcome(attempt(500, "http_status"))).toBe("Answered 500");
  expect(attemptOutcome(attempt(null, "outbound_timeout"))).toBe("No answer within 10 seconds");
  expect(attemptOutcome(attempt(null, "ECONNRESET"))).toBe("ECONNRESET");
});

test("describes a delivery by its last attempt, unless it was given up for another reason", () => {
  const tried = [attempt(null, "outbound_timeout"), attempt(500, "http_status")];
  expect(deliveryOutcome({ status: "pending", attempts: [], code: null })).toBe("Not sent yet");
  expect(deliveryOutcome({ status: "pending", attempts: tried, code: "http_status" })).toBe("Answered 500");
  expect(deliveryOutcome({ status: "failed", attempts: tried, code: "http_status" })).toBe("Answered 500");
  expect(deliveryOutcome({ status: "failed", attempts: tried, code: "webhook_inactive" })).toBe(
    "The webhook was switched off before it was sent",
  );
  expect(deliveryOutcome({ status: "failed", attempts: [], code: "source_gone" })).toBe("The record it reports no longer exists");
});

test("shortens an address by its scheme", () => {
  expect(shortAddress("https://crm.example/hooks/one/")).toBe("crm.example/hooks/one");
  expect(shortAddress("https://crm.example/")).toBe("crm.example");
});
