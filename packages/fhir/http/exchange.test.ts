import { OutboundError, type OutboundResponse } from "@vitaline/outbound";
import { expect, it } from "vitest";
import { circuitOutcome } from "./exchange.ts";

const now = new Date("2026-11-27T12:00:00Z");
const response = (status: number, headers: OutboundResponse["headers"] = {}): OutboundResponse => ({
  ...{ status, headers, url: "https://ehr.example/Patient" },
  text: () => "",
  json: () => ({}),
});

it.each([200, 201, 304, 400, 401, 403, 404, 409, 410, 412, 422, 429, 501])("a server that answers %i works", (status) => {
  expect(circuitOutcome(response(status), 5000, now)).toEqual({ kind: "answered" });
});

it.each([500, 502, 503, 504])("a server that answers %i fails", (status) => {
  expect(circuitOutcome(response(status), 10, now)).toEqual({ kind: "failed" });
});

it("a 429 with a time to wait tells us to wait, for three seconds at most", () => {
  expect(circuitOutcome(response(429, { "retry-after": "2" }), 10, now)).toEqual({ kind: "told_to_wait", ms: 2000 });
  expect(circuitOutcome(response(429, { "retry-after": "600" }), 10, now)).toEqual({ kind: "told_to_wait", ms: 3000 });
  for (const status of [500, 503]) expect(circuitOutcome(response(status, { "retry-after": "7" }), 10, now)).toEqual({ kind: "failed" });
  expect(circuitOutcome(response(429, { "retry-after": "0" }), 10, now)).toEqual({ kind: "answered" });
});

it("no connection and a real timeout are failures; a request that we ended early, or refused, says nothing", () => {
  const outcome = (code: ConstructorParameters<typeof OutboundError>[0], sent: boolean, waitedMs: number) =>
    circuitOutcome(new OutboundError(code, { sent }), waitedMs, now)?.kind;
  expect(outcome("outbound_unreachable", false, 3)).toBe("failed");
  expect(outcome("outbound_timeout", true, 2500)).toBe("failed");
  expect(outcome("outbound_timeout", true, 200)).toBeUndefined();
  expect(outcome("outbound_refused", false, 3)).toBeUndefined();
  for (const code of ["outbound_redirect", "outbound_too_large"] as const) expect(outcome(code, true, 20)).toBe("answered");
});
