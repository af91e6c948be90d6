import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { connectHungEhrs, startHungEhr } from "../kit/hung-ehr.ts";
import { type Line, openLine } from "../kit/line.ts";
import { ownPlatform } from "../kit/platform.ts";

const neighbors = 8;
const maxRatio = 1.3;
const rounds = 120;
const pauseMs = 100;
/** Each neighbor's callers ask this often, one beside the other. */
const everyMs = 2000;

const p95 = (times: number[]): number => times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;

/**
 * One tenant's 95th percentile beside eight whose EHRs hang, over that of the tenant alone; the process fails above the limit. Beside the
 * same eight with healthy EHRs it shows what their load costs on this machine.
 */
export async function neighborRatio(): Promise<string> {
  const hung = await startHungEhr();
  const it = await ownPlatform({ tenants: 1 + neighbors, parent: tmpdir(), quiet: true });
  try {
    const [own, ...others] = it.demo.tenants;
    const patient = it.demo.patients[0]!;
    const healthy = openLine(it.api, own!.apiKey, patient);
    const timed = async (): Promise<number> => {
      const startedMs = performance.now();
      if (!(await healthy.find()).ok) throw new Error("A tool call that was to be timed did not succeed");
      return performance.now() - startedMs;
    };
    const sample = async (): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        times.push(await timed());
        await sleep(pauseMs);
      }
      return p95(times);
    };
    /** In the first sample circuits open: until then the hung ones hold the four environments that a function has on this machine. */
    const beside = async (callers: Line[]): Promise<[first: number, second: number]> => {
      const over = new AbortController();
      const asking = callers.map(async (caller, at) => {
        await sleep((everyMs / neighbors) * at);
        while (!over.signal.aborted) await Promise.all([caller.verify(), sleep(everyMs)]);
      });
      try {
        return [await sample(), await sample()];
      } finally {
        over.abort();
        await Promise.all(asking);
      }
    };
    if (!(await healthy.verify()).ok) throw new Error("The patient was not verified");
    const [, alone] = await beside([]);
    const [, besideHealthy] = await beside(others.map(({ apiKey }) => openLine(it.api, apiKey, patient)));
    const [opening, besideHung] = await beside([...(await connectHungEhrs(it, hung)).values()]);
    const isOver = besideHung / alone > maxRatio;
    if (isOver) process.exitCode = 1;
    const times = (one: number) => `${one.toFixed(0)} ms (${(one / alone).toFixed(2)})`;
    return `One tenant's find, 95 % of ${rounds}, beside ${neighbors} with a hung EHR: ${times(besideHung)} of ${maxRatio.toFixed(2)}${isOver ? " OVER" : ""}, alone ${times(alone)}, beside ${neighbors} healthy ones ${times(besideHealthy)}, until the circuits of the hung ones are open ${times(opening)}.`;
  } finally {
    await it.close();
    await hung.close();
  }
}
