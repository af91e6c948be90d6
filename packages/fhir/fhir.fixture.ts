import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { deadlineIn, isAppError, type LogFields, pause } from "@vitaline/core";
import { allowLoopback } from "@vitaline/outbound";
import { type DemoClient, demoClientId, type SandboxEhr, startDemoClient, startSandboxEhr } from "@vitaline/sandbox-ehr";
import {
  type CapabilityStore,
  type CapabilitySummary,
  type ClientRegistration,
  createFhirClient,
  type FhirClient,
  type FhirContext,
  type FhirVersion,
  requestAccessToken,
} from "./index.ts";

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
    pause: (ms, signal) => pause(ms / 20, signal),
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

export type FhirPlace = { baseUrl: string; fhirVersion: FhirVersion };
export type SandboxSession = {
  sandbox: SandboxEhr;
  /** How many tokens were asked for. */
  tokens(): number;
  /** The sandbox's R4 server, or the one at another address, through our client, in a request with this much time. */
  open(deadlineMs?: number, at?: FhirPlace): FhirClient & { context: ReturnType<typeof contextFor> };
  fault(fault: { kind: string; match?: { method?: string; path?: string }; times?: number; delayMs?: number }): Promise<void>;
  close(): Promise<void>;
};

/** A sandbox EHR of its own and our client for it; tokens are kept in memory until a server refuses them. `asked` are the scopes of the tokens. */
export async function openSandbox(asked = scopes): Promise<SandboxSession> {
  const client = await startDemoClient(demoClientId);
  const sandbox = await startSandboxEhr({ jwksUrl: client.jwksUrl });
  openLoopback(sandbox.origin);
  const held = new Map<string, string>();
  const stated = new Map<string, CapabilitySummary>();
  let tokens = 0;
  return {
    sandbox,
    tokens: () => tokens,
    open(deadlineMs, { baseUrl, fhirVersion } = { baseUrl: sandbox.r4.baseUrl, fhirVersion: "R4" }) {
      const context = contextFor(deadlineMs);
      const accessToken = async ({ refused }: { refused?: string }) => {
        const known = held.get(baseUrl);
        if (known !== undefined && known !== refused) return known;
        tokens += 1;
        const { accessToken: token } = await requestAccessToken(context, registrationAt(baseUrl, client, { scopes: asked }));
        held.set(baseUrl, token);
        return token;
      };
      const sharedCapability: CapabilityStore["sharedCapability"] = async (ask, options) => {
        const known = stated.get(baseUrl) ?? (await ask(options));
        stated.set(baseUrl, known);
        return known;
      };
      return { ...createFhirClient(context, { baseUrl, fhirVersion, accessToken, sharedCapability }), context };
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
  /** In a request with this much time, or in this one. */
  client(request?: number | FhirContext, fhirVersion?: FhirVersion): FhirClient;
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
  let stated: Promise<CapabilitySummary> | undefined;
  return {
    origin,
    baseUrl,
    asked,
    client: (request, fhirVersion = "R4") =>
      createFhirClient(typeof request === "object" ? request : contextFor(request), {
        ...{ baseUrl, fhirVersion },
        accessToken: async () => "a-token",
        sharedCapability: (ask, options) => (stated ??= ask(options)),
      }),
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
