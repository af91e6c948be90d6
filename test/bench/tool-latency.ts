import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPlatform } from "../../packages/local-cloud/platform.ts";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { byKey, send, type Exchange } from "../call/platforms/request.ts";

const rounds = 20;

const askTool = (demo: Demo, callId: string, name: string, args: object): Promise<Exchange> => {
  const toolCall = { id: `call_${randomUUID()}`, type: "function", function: { name, arguments: args } };
  const message = { type: "tool-calls", timestamp: Date.now(), call: { id: callId }, toolCallList: [toolCall] };
  return send(demo.origin, { path: "/api/vapi/tool-call", headers: byKey(demo.tenants[0]?.apiKey ?? ""), body: { message } });
};

const succeeded = ({ answer }: Exchange): boolean => (answer as { results?: { result?: string }[] }).results?.[0]?.result !== undefined;

/** The read tools of a usual call. */
const reads: readonly (readonly [name: string, args: object])[] = [
  ["getPatientInfo", {}],
  ["getPatientClinicalData", { category: "conditions" }],
  ["getMedicationHistoryFhir", {}],
  ["verifyInsurance", {}],
  ["scheduleAppointment", { action: "find" }],
  ["scheduleAppointment", { action: "list" }],
];

/** Milliseconds of each tool through the edge, gateway, function and sandbox EHR, sorted. */
async function sample(demo: Demo): Promise<Map<string, number[]>> {
  const [patient] = demo.patients;
  // Clinical data takes two details.
  const claim = {
    firstName: patient?.given,
    lastName: patient?.family,
    dateOfBirth: patient?.birthDate,
    phoneNumber: patient?.phone,
    zipCode: patient?.zip,
  };
  const times = new Map<string, number[]>();
  const ask = async (callId: string, name: string, args: object): Promise<void> => {
    const asked = await askTool(demo, callId, name, args);
    if (!succeeded(asked)) throw new Error(`${name} was to be timed, and did not succeed`);
    const key = "action" in args ? `${name} ${String(args.action)}` : name;
    times.set(key, [...(times.get(key) ?? []), asked.ms]);
  };
  for (let round = 0; round <= rounds; round++) {
    const callId = randomUUID();
    await ask(callId, "verifyPatientIdentity", claim);
    for (const [name, args] of reads) await ask(callId, name, args);
  }
  // The first round warms the functions.
  for (const [key, all] of times)
    times.set(
      key,
      all.slice(1).toSorted((one, other) => one - other),
    );
  return times;
}

export async function toolLatency(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "vitaline-bench-"));
  const platform = await startPlatform({ port: 0, dataDir, quiet: true });
  try {
    if (!platform.demo) throw new Error("The platform has no demo data");
    const times = await sample(platform.demo);
    const lines = [...times].map(([name, all]) => {
      const at = (share: number) => Math.round(all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? Number.NaN);
      return `${name.padEnd(30)} median ${String(at(0.5)).padStart(4)} ms, 95 % ${String(at(0.95)).padStart(4)} ms`;
    });
    return [`Tools from request to answer, sandbox EHR included, of ${rounds}:`, ...lines].join("\n");
  } finally {
    await platform.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
