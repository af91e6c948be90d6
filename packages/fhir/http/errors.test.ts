import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./errors.ts";

describe("the retry time that a server asks for", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  it.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "Sat, 21 Nov 2026 12:00:05 GMT" }, 5000],
    [{ "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }, 0],
    [{ ratelimit: '"fhir";r=0;t=59' }, 59_000],
    [{ "retry-after": "soon", ratelimit: '"fhir";r=0;t=2' }, 2000],
    [{}, undefined],
  ])("%j", (headers, wanted) => {
    expect(retryAfterMs(headers, now)).toBe(wanted);
  });
});
