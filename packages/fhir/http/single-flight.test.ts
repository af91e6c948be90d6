import { setTimeout as sleep } from "node:timers/promises";
import { deadlineIn } from "@vitaline/core";
import { describe, expect, it } from "vitest";
import { codeOf } from "../fhir.fixture.ts";
import { ehrError } from "./errors.ts";
import { type InFlight, singleFlight, type Waiter } from "./single-flight.ts";

const asking = (deadlineMs: number, signal?: AbortSignal): Waiter => ({ ctx: { deadline: deadlineIn(deadlineMs) }, signal });
/** Something that takes a while to fetch, for as long as whoever fetches has. */
const slow = () => {
  const flights: InFlight<number> = new Map();
  let fetched = 0;
  const get = (asker: Waiter, serves?: (value: number) => boolean) =>
    singleFlight(
      flights,
      "one",
      asker,
      async () => {
        const value = ++fetched;
        const ms = Math.max(0, asker.ctx.deadline.remainingMs());
        await sleep(Math.min(200, ms), undefined, { signal: asker.signal }).catch((cause: unknown) => {
          throw ehrError("ehr_timeout", { cause });
        });
        if (ms < 200) throw ehrError("ehr_timeout");
        return value;
      },
      serves,
    );
  return { get, fetched: () => fetched };
};

describe("what many ask for at a time", () => {
  it("is fetched once for all", async () => {
    const { get, fetched } = slow();
    expect(await Promise.all(Array.from({ length: 9 }, () => get(asking(5000))))).toEqual(Array.from({ length: 9 }, () => 1));
    expect(fetched()).toBe(1);
    expect(await get(asking(5000))).toBe(2);
  });

  it.each([
    ["deadline", () => asking(60)],
    ["signal", () => asking(5000, AbortSignal.timeout(60))],
  ])("is fetched anew, once, when the %s of whoever fetched it has ended, for those who have time", async (_, hurried) => {
    const { get, fetched } = slow();
    const asked = [get(hurried()), get(asking(5000)), get(hurried()), get(asking(5000))].map(codeOf);
    expect(await Promise.all(asked)).toEqual(["ehr_timeout", "answered", "ehr_timeout", "answered"]);
    expect(fetched()).toBe(2);
  });

  it("is fetched anew for whom it does not serve, and a failure is everybody's", async () => {
    const { get, fetched } = slow();
    expect(await Promise.all([get(asking(5000)), get(asking(5000), (value) => value !== 1)])).toEqual([1, 2]);
    expect(fetched()).toBe(2);
    const flights: InFlight<number> = new Map();
    const refused = () => singleFlight(flights, "one", asking(5000), () => Promise.reject<number>(ehrError("ehr_auth")));
    expect(await Promise.all([refused(), refused()].map(codeOf))).toEqual(["ehr_auth", "ehr_auth"]);
    expect(flights.size).toBe(0);
  });
});
