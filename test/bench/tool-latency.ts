import { randomUUID } from "node:crypto";
import { readDemoFile, type DemoFile } from "../call/demo-file.ts";
import { send } from "../call/request.ts";

const rounds = 40;

const askTools = (demo: DemoFile, callId: string, name: string, args: object) => {
  const [tenant] = demo.tenants;
  const toolCall = { id: `call_${randomUUID()}`, type: "function", function: { name, arguments: args } };
  return send(
    { origin: demo.origin, apiKey: tenant?.apiKey ?? "" },
    {
      path: "/api/vapi/tool-call",
      body: { message: { type: "tool-calls", timestamp: Date.now(), call: { id: callId }, toolCallList: [toolCall] } },
    },
  );
};

/** Milliseconds of one read tool through the whole local path: edge, gateway, function, sandbox EHR and back. */
const sample = async (demo: DemoFile): Promise<number[]> => {
  const [patient] = demo.patients;
  const callId = randomUUID();
  await askTools(demo, callId, "verifyPatientIdentity", {
    firstName: patient?.given,
    lastName: patient?.family,
    dateOfBirth: patient?.birthDate,
    phone: patient?.phone,
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push((await askTools(demo, callId, "getPatientInfo", {})).ms);
  return times.sort((a, b) => a - b);
};

/** One line on how fast a read tool answers on the platform that runs now, or that none runs. */
export async function toolLatency(dataDir = process.env["VITALINE_DATA"] ?? ".local"): Promise<string> {
  try {
    const times = await sample(await readDemoFile(dataDir));
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return `getPatientInfo through the running platform: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, of ${rounds}.`;
  } catch (error) {
    return `No tool was timed: ${error instanceof Error ? error.message : "the platform does not answer."}`;
  }
}
