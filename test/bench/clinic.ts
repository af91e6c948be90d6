import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HttpEvent } from "../../functions/lib/http/request.ts";
import type { Invocation } from "../../functions/lib/context/platform-context.ts";

type Patient = { given: string; family: string; birthDate: string; phone: string };
export type BenchClinic = {
  id: string;
  apiKey: string;
  /** The header of CloudFront. */
  edge: Record<string, string>;
  claim: { firstName: string; lastName: string; dateOfBirth: string; phoneNumber: string };
  close(): void;
};

/** AWS and EHR run in their own process, so that their CPU is not counted. */
export async function startClinic(): Promise<BenchClinic> {
  const script = fileURLToPath(new URL("./clinic-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", script], { stdio: ["ignore", "pipe", "inherit"] });
  let line = "";
  while (!line.includes("\n")) line += String(((await once(child.stdout, "data")) as [Buffer])[0]);
  const { environment, id, apiKey, edge, patient } = JSON.parse(line) as {
    environment: Record<string, string>;
    id: string;
    apiKey: string;
    edge: Record<string, string>;
    patient: Patient;
  };
  Object.assign(process.env, environment);
  const { given, family, birthDate, phone } = patient;
  const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
  return { id, apiKey, edge, claim, close: () => void child.kill() };
}

export const eventFor = (
  { apiKey, edge }: BenchClinic,
  { route, params, body }: { route: string; params?: Record<string, string>; body: unknown },
): HttpEvent => {
  const rawPath = Object.entries(params ?? {}).reduce((at, [name, value]) => at.replace(`{${name}}`, value), route);
  return {
    routeKey: `POST ${route}`,
    rawPath,
    rawQueryString: "",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}`, ...edge },
    ...(params ? { pathParameters: params } : {}),
    body: JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { domainName: "localhost", http: { method: "POST", sourceIp: "203.0.113.9" } },
  };
};

let requests = 0;
export const invocation = (): Invocation => ({
  awsRequestId: `bench-${++requests}`,
  functionName: "vitaline-bench",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:vitaline-bench",
  getRemainingTimeInMillis: () => 20_000,
});

export async function withoutLogs<T>(work: () => Promise<T>): Promise<T> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await work();
  } finally {
    process.stdout.write = write;
  }
}
