import { startTools, type Tools } from "../../packages/tools/test/tools.fixture.ts";

const rounds = 40;
const ehrDelayMs = 50;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Ratio of the tool's time to the EHR's. A warm tool sends its requests in parallel, so the EHR's time is that of the fastest one. */
async function sample(t: Tools, caller: Awaited<ReturnType<Tools["verified"]>>, tool: string): Promise<{ toolMs: number; ehrMs: number }> {
  t.lines.length = 0;
  const startedMs = performance.now();
  const { ok } = await caller.use(tool);
  const toolMs = performance.now() - startedMs;
  if (!ok) throw new Error("A tool call that was to be timed did not succeed");
  const asked = t.lines.flatMap(({ event, fields }) => (event === "ehr.call" ? [Number(fields["ms"])] : []));
  return { toolMs, ehrMs: Math.min(...asked) };
}

/** Two warm read tools at an EHR that answers after 50 ms. Target: at most 1.3 times as long. */
export async function ehrShare(): Promise<string> {
  const t = await startTools();
  try {
    const caller = await t.verified(0, 0, 2);
    await t.fault(0, { kind: "slow", delayMs: ehrDelayMs });
    const lines: string[] = [];
    for (const tool of ["getPatientInfo", "getPatientClinicalData"]) {
      for (let warming = 0; warming < 5; warming++) await sample(t, caller, tool);
      const samples: { toolMs: number; ehrMs: number }[] = [];
      for (let round = 0; round < rounds; round++) samples.push(await sample(t, caller, tool));
      const [toolMs, ehrMs] = [median(samples.map((one) => one.toolMs)), median(samples.map((one) => one.ehrMs))];
      const ratio = median(samples.map((one) => one.toolMs / one.ehrMs));
      lines.push(
        `${tool} ${toolMs.toFixed(1)} ms, its EHR ${ehrMs.toFixed(0)} ms: median ratio ${ratio.toFixed(2)} of 1.30, of ${rounds}.`,
      );
    }
    return lines.join("\n");
  } finally {
    await t.close();
  }
}
