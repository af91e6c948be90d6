import { type DemoChild, demoPatient, type DemoPatient } from "../../packages/sandbox-ehr/seed/index.ts";
import { generatePatients, seededRandom } from "../../packages/sandbox-ehr/seed/patients.ts";
import type { DemoClock } from "./clock.ts";
import { startSandboxEhr } from "../../packages/sandbox-ehr/index.ts";

const seed = 20;
const slotDaysAhead = 22;
/** Those of `npm run call` come first, and the last are closed charts. */
const [firstPatient, lastPatient] = [6, 196];
const firstMinor = 50;
const minors = 5;
/** What a request to a record system takes. */
const resourcePath = /\/[A-Z][A-Za-z]+(\/|$)/;
const [fastestSeconds, slowerSeconds] = [0.04, 0.5];

export type Records = {
  patients: DemoPatient[];
  children: DemoChild[];
  has(type: string, id: string): Promise<boolean>;
  /** The next requests are answered by 503. */
  breakFor(requests: number): Promise<void>;
  mend(): Promise<void>;
};

/**
 * A sandbox EHR of the past in this process, in place of the one at `ehrOrigin`: bookings of the past stay out of today's calendar.
 * Call it before the product's code is loaded.
 */
export async function openRecords(
  ehrOrigin: string,
  { days, clinic, clock }: { days: number; clinic: number; clock: DemoClock },
): Promise<Records> {
  const ehr = await startSandboxEhr({
    seed,
    knownAs: ehrOrigin,
    trusting: true,
    tokenSeconds: 60,
    slotDays: days + slotDaysAhead,
  });
  const random = seededRandom(clinic);
  const http = process.getBuiltinModule("node:http");
  const original = http.request;
  const request = (url: unknown, ...rest: unknown[]): unknown => {
    const isOwn = url instanceof URL && url.origin === ehrOrigin;
    // Tokens and capabilities are asked for by real time, so they take none of the demo's
    if (isOwn && resourcePath.test(url.pathname)) clock.pass(fastestSeconds + slowerSeconds * random() ** 3);
    return (original as (...given: unknown[]) => unknown)(isOwn ? new URL(url.pathname + url.search, ehr.listening) : url, ...rest);
  };
  http.request = request as typeof original;
  const faults = (method: string, body?: object) =>
    fetch(`${ehr.listening}/faults`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  const r4Path = new URL(ehr.r4.baseUrl).pathname;
  const adults = generatePatients(seed).filter(
    (_, at) => at >= firstPatient && at < lastPatient && (at < firstMinor || at >= firstMinor + minors) && at % 2 === clinic % 2,
  );
  return {
    patients: adults.map(demoPatient),
    children: ehr.children,
    has: async (type, id) => (await fetch(`${ehr.listening}${r4Path}/${type}/${id}`, { headers: { authorization: "Bearer any" } })).ok,
    breakFor: async (times) => void (await faults("POST", { kind: "503", times })),
    mend: async () => void (await faults("DELETE")),
  };
}
