import { afterAll, beforeAll, expect, test } from "vitest";
import { connectHungEhrs, startHungEhr } from "../kit/hung-ehr.ts";
import { openLine, type Line } from "../kit/line.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";

const clinicCount = 8;
const fewestSecondsBetweenTrials = 10;

let it: TestPlatform;
let hung: Awaited<ReturnType<typeof startHungEhr>>;
let healthy: Line;
let callers: Map<string, Line>;
let clinics: string[];

beforeAll(async () => {
  hung = await startHungEhr();
  it = await ownPlatform({ tenants: 1 + clinicCount });
  callers = await connectHungEhrs(it, hung);
  clinics = [...callers.keys()];
  healthy = openLine(it.api, it.demo.tenants[0]!.apiKey, it.demo.patients[0]!);
  if (!(await healthy.verify()).ok) throw new Error("The patient was not verified");
});
afterAll(async () => {
  await it.close();
  await hung.close();
});

const timed = async <T>(work: () => Promise<T>) => {
  const startedMs = performance.now();
  return { result: await work(), ms: performance.now() - startedMs };
};
const p95 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0;
const inTurn = async <T>(times: number, work: () => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let n = 0; n < times; n++) results.push(await work());
  return results;
};

test("eight EHRs that hang are soon asked no more, and hold up neither a ninth tenant's calls nor sign-in", async () => {
  const alone = await inTurn(20, () => timed(() => healthy.find()));
  const ask = async (clinic: string) => {
    const before = hung.asked(clinic);
    const { ok, speech } = await callers.get(clinic)!.verify();
    expect([ok, speech]).toEqual([false, expect.stringMatching(/^I'm sorry|^That is taking longer/)]);
    return hung.asked(clinic) - before;
  };

  // Each caller hears that the record system cannot be reached until five requests of the clinic's EHR have timed out.
  await Promise.all(
    clinics.map(async (clinic) => {
      for (let tries = 0; (await ask(clinic)) > 0; tries++) expect(tries).toBeLessThan(6);
    }),
  );
  for (const clinic of clinics) expect([clinic, hung.asked(clinic) <= 8]).toEqual([clinic, true]);

  const { email, password } = it.demo.tenants[0]!.admin;
  const asked = new Map(clinics.map((clinic) => [clinic, hung.asked(clinic)]));
  const startedMs = performance.now();
  const besides = await inTurn(20, async () => {
    const storm = Promise.all(clinics.map(ask));
    const call = await timed(() => healthy.find());
    await storm;
    return call;
  });
  const signedIn = await it.tokenOf(email, password);
  // The wait doubles with each failed trial, so this many at most.
  const trials = Math.floor((performance.now() - startedMs) / 1000 / fewestSecondsBetweenTrials) + 1;

  // 160 requests to tools of clinics with a hung EHR; only the trials reached the EHR.
  for (const clinic of clinics) expect(hung.asked(clinic) - asked.get(clinic)!).toBeLessThanOrEqual(trials);
  for (const { result } of [...alone, ...besides]) expect(result).toMatchObject({ ok: true, found: { slots: expect.any(Array) } });
  expect(signedIn).toMatch(/^\S+$/);
  const usage = (name: string) => it.platform.cloud.lambda.usage(`vitaline-local-${name}`);
  expect([usage("voice").throttled, usage("auth").throttled]).toEqual([0, 0]);
  // At once: the clinics' requests of a round and the ninth tenant's, and none that was left over from the round before.
  expect(usage("voice").running).toBe(0);
  expect(usage("voice").peak).toBeLessThanOrEqual(clinics.length + 1);
  const [aloneMs, besidesMs] = [alone, besides].map((calls) => p95(calls.map(({ ms }) => ms))) as [number, number];
  process.stdout.write(`p95 of the ninth tenant: ${aloneMs.toFixed(0)} ms alone, ${besidesMs.toFixed(0)} ms beside hung EHRs\n`);
});
