import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { deadlineIn, isAppError, type LogFields } from "@vitaline/core";
import { allowLoopback } from "@vitaline/outbound";
import { demoClientId, startDemoClient, startSandboxEhr, type DemoClient, type SandboxEhr } from "@vitaline/sandbox-ehr";
import { createFhirClient, requestAccessToken, type ClientRegistration, type FhirClient, type FhirContext } from "./index.ts";

const scopes = "system/Patient.crus system/Appointment.crus system/Slot.rs system/Schedule.rs system/Practitioner.rs";

/** Lets the outbound guard through to these origins of this machine, as the local platform does. */
export function openLoopback(...origins: string[]): void {
  const opened = (process.env.EGRESS_LOOPBACK_ORIGINS ?? "").split(",").filter(Boolean);
  process.env.EGRESS_LOOPBACK_ORIGINS = [...opened, ...origins].join(",");
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice");
}

/** A request's context that keeps what was logged. */
export function contextFor(deadlineMs = 8000): FhirContext & { logged: (LogFields & { event: string })[] } {
  const logged: (LogFields & { event: string })[] = [];
  return {
    clock: () => new Date(),
    deadline: deadlineIn(deadlineMs),
    log: (_, event, fields) => void logged.push({ event, ...fields }),
    logged,
  };
}

export const registrationAt = (baseUrl: string, client: DemoClient, more: Partial<ClientRegistration> = {}): ClientRegistration => ({
  baseUrl,
  clientId: client.clientId,
  scopes,
  sign: async (algorithm, input) => {
    const text = input(client.keyFor(algorithm).kid);
    return { input: text, signature: (await client.sign(algorithm, text)).signature };
  },
  ...more,
});

export type SandboxSession = {
  sandbox: SandboxEhr;
  /** How many tokens were asked for. */
  tokens(): number;
  /** The sandbox through our client, in a request with this much time. */
  open(deadlineMs?: number): FhirClient & { context: ReturnType<typeof contextFor> };
  fault(fault: { kind: string; match?: { method?: string; path?: string }; times?: number; delayMs?: number }): Promise<void>;
  close(): Promise<void>;
};

/** A sandbox EHR of its own and our client for it; the token is kept in memory until the server refuses it. */
export async function openSandbox(): Promise<SandboxSession> {
  const client = await startDemoClient(demoClientId);
  const sandbox = await startSandboxEhr({ jwksUrl: client.jwksUrl });
  openLoopback(sandbox.origin);
  let token: string | undefined;
  let asked = 0;
  return {
    sandbox,
    tokens: () => asked,
    open(deadlineMs) {
      const context = contextFor(deadlineMs);
      const accessToken = async ({ refused }: { refused?: string }) => {
        if (token !== undefined && token !== refused) return token;
        asked += 1;
        return (token = (await requestAccessToken(context, registrationAt(sandbox.r4.baseUrl, client))).accessToken);
      };
      return { ...createFhirClient(context, { baseUrl: sandbox.r4.baseUrl, accessToken }), context };
    },
    async fault(fault) {
      await fetch(`${sandbox.origin}/faults`, { method: "POST", body: JSON.stringify(fault) });
    },
    async close() {
      await sandbox.close();
      await client.close();
    },
  };
}

export type Asked = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
export type OddServer = {
  origin: string;
  baseUrl: string;
  asked: Asked[];
  client(deadlineMs?: number): FhirClient;
  close(): Promise<void>;
};

/** A server that answers as one test likes, and remembers what it was asked. */
export async function startOddServer(answer: (asked: Asked, response: ServerResponse, origin: string) => void): Promise<OddServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      asked.push(one);
      answer(one, response, origin);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  openLoopback(origin);
  const baseUrl = `${origin}/fhir`;
  return {
    origin,
    baseUrl,
    asked,
    client: (deadlineMs) => createFhirClient(contextFor(deadlineMs), { baseUrl, accessToken: async () => "a-token" }),
    close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
  };
}

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { "Content-Type": "application/fhir+json", ...headers }).end(JSON.stringify(body));
};

/** The code of the AppError that a call throws, or "answered". */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
