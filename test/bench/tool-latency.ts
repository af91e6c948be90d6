import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPlatform } from "../../packages/local-cloud/platform.ts";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { byKey, send, type Exchange } from "../call/platforms/request.ts";

const rounds = 40;

const askTool = (demo: Demo, callId: string, name: string, args: object): Promise<Exchange> => {
  const toolCall = { id: `call_${randomUUID()}`, type: "function", function: { name, arguments: args } };
  const message = { type: "tool-calls", timestamp: Date.now(), call: { id: callId }, toolCallList: [toolCall] };
  return send(demo.origin, { path: "/api/vapi/tool-call", headers: byKey(demo.tenants[0]?.apiKey ?? ""), body: { message } });
};

const succeeded = ({ answer }: Exchange): boolean => (answer as { results?: { result?: string }[] }).results?.[0]?.result !== undefined;

/** Milliseconds of one read tool through the edge, gateway, function and sandbox EHR. */
const sample = async (demo: Demo): Promise<number[]> => {
  const [patient] = demo.patients;
  const callId = randomUUID();
  const claim = { firstName: patient?.given, lastName: patient?.family, dateOfBirth: patient?.birthDate, phoneNumber: patient?.phone };
  const asked = [await askTool(demo, callId, "verifyPatientIdentity", claim)];
  for (let round = 0; round <= rounds; round++) asked.push(await askTool(demo, callId, "getPatientInfo", {}));
  if (!asked.every(succeeded)) throw new Error("A tool call that was to be timed did not succeed");
  // The identity check and the first read warm the function
  return asked
    .slice(2)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
};

export async function toolLatency(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "vitaline-bench-"));
  const platform = await startPlatform({ port: 0, dataDir, quiet: true });
  try {
    if (!platform.demo) throw new Error("The platform has no demo data");
    const times = await sample(platform.demo);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return `getPatientInfo from request to answer, sandbox EHR included: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, of ${rounds}.`;
  } finally {
    await platform.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
