import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { connectHungEhrs, startHungEhr } from "../kit/hung-ehr.ts";
import { openLine } from "../kit/line.ts";
import { ownPlatform } from "../kit/platform.ts";

const neighbors = 8;
const rounds = 60;
const pauseMs = 100;
/** Each neighbor's callers ask this often, one beside the other. */
const everyMs = 1000;

const p95 = (times: number[]): number => times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;

/** One tenant's 95th percentile beside eight whose EHRs hang, over that of the tenant alone. Target: at most 1.3. */
export async function neighborRatio(): Promise<string> {
  const hung = await startHungEhr();
  const it = await ownPlatform({ tenants: 1 + neighbors, parent: tmpdir(), quiet: true });
  const over = new AbortController();
  try {
    const callers = [...(await connectHungEhrs(it, hung)).values()];
    const healthy = openLine(it.api, it.demo.tenants[0]!.apiKey, it.demo.patients[0]!);
    const timed = async (): Promise<number> => {
      const startedMs = performance.now();
      if (!(await healthy.find()).ok) throw new Error("A tool call that was to be timed did not succeed");
      return performance.now() - startedMs;
    };
    const sample = async (): Promise<number[]> => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        times.push(await timed());
        await sleep(pauseMs);
      }
      return times;
    };
    if (!(await healthy.verify()).ok) throw new Error("The patient was not verified");
    await sample();
    const alone = p95(await sample());
    const asking = callers.map(async (caller, at) => {
      await sleep((everyMs / neighbors) * at);
      while (!over.signal.aborted) await Promise.all([caller.verify(), sleep(everyMs)]);
    });
    const beside = p95(await sample());
    over.abort();
    await Promise.all(asking);
    return `One tenant's find beside ${neighbors} with a hung EHR: 95 % ${beside.toFixed(0)} ms, alone ${alone.toFixed(0)} ms, ratio ${(beside / alone).toFixed(2)} of 1.30, of ${rounds}.`;
  } finally {
    over.abort();
    await it.close();
    await hung.close();
  }
}
