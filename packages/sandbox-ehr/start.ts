import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createClientKeys, type ClientRegistration } from "./client-keys.ts";
import { createFaults, underFault } from "./faults.ts";
import { readCall, refusalReply, send, type Call, type Reply } from "./http.ts";
import { page } from "./page.ts";
import { createR4 } from "./r4.ts";
import { Refusal } from "./refusal.ts";
import { defaultSeed, demoPatients, seedStore, type DemoPatient } from "./seed/index.ts";
import { openStore } from "./store.ts";
import { createTokenEndpoint } from "./token.ts";

export const demoClientId = "vitaline-demo";
/** What the platform's tools need here, and no more. */
const demoScopes =
  "system/Patient.crus system/Appointment.crus system/Slot.rs system/Schedule.rs system/Practitioner.rs system/PractitionerRole.rs system/Location.rs";

export interface SandboxOptions {
  /** 0 or none: any free port. */
  port?: number;
  /** Where the data lives; none: in memory. */
  dataDir?: string;
  /** Key set of the client `vitaline-demo`. */
  jwksUrl?: string | (() => string);
  clients?: ClientRegistration[];
  seed?: number;
  /** Reading without a token, for people and scripts on this machine. */
  openReads?: boolean;
  now?: () => Date;
}

export interface SandboxEhr {
  origin: string;
  r4: { baseUrl: string; tokenUrl: string };
  /** As which a platform registers here. */
  client: { id: string; scopes: string };
  patients: DemoPatient[];
  registerClient(client: ClientRegistration): void;
  close(): Promise<void>;
}

/** Starts the sandbox on 127.0.0.1. */
export async function startSandboxEhr(options: SandboxOptions = {}): Promise<SandboxEhr> {
  const { port = 0, dataDir, jwksUrl, clients = [], seed = defaultSeed, openReads, now = () => new Date() } = options;
  const store = await openStore({ dataDir, now });
  await seedStore(store, now(), seed);

  const http = createServer();
  const origin = await listen(http, port);
  const [baseUrl, tokenUrl] = [`${origin}/r4`, `${origin}/oauth2/token`];
  const keys = createClientKeys();
  for (const client of clients) keys.register(client);
  if (jwksUrl) keys.register({ clientId: demoClientId, jwksUrl });

  const tokens = createTokenEndpoint({ tokenUrl, keys, now });
  const r4 = createR4({ store, baseUrl, now, tokenUrl, openReads }, tokens);
  const faults = createFaults();
  const patients = demoPatients(seed);
  const client = { id: demoClientId, scopes: demoScopes };

  const takeSlot = async (call: Call) => {
    const slot = /"Slot\/([A-Za-z0-9.-]+)"/.exec(call.body)?.[1];
    const wanted = slot && store.get("Slot", slot);
    if (wanted) await store.commit([{ ...wanted, status: "busy" }]);
  };

  const answer = async (call: Call): Promise<Reply | "cut" | "silence"> => {
    if (call.path === "/")
      return { status: 200, body: page({ origin, baseUrl, tokenUrl, client: jwksUrl ? client : undefined, patients, openReads }) };
    if (call.path === "/faults") return faults.answer(call);
    const serve = call.path === "/oauth2/token" ? tokens.answer : call.path.startsWith("/r4/") ? r4 : undefined;
    if (!serve) throw new Refusal(404, "not-found", "Nothing is here; see /");
    const fault = faults.strike(call);
    if (fault?.kind === "slot-taken") await takeSlot(call);
    return underFault(fault, () => serve(call).catch(refusalReply));
  };

  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void readCall(request)
      .then(answer)
      .catch(refusalReply)
      .then((reply) => {
        if (reply === "cut") request.socket.destroy();
        else if (reply !== "silence") send(response, reply);
      });
  });

  return {
    origin,
    r4: { baseUrl, tokenUrl },
    client,
    patients,
    registerClient: keys.register,
    async close() {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
      await store.close();
    },
  };
}

async function listen(http: HttpServer, port: number): Promise<string> {
  await new Promise<void>((done, fail) => {
    http.once("error", fail);
    http.listen(port, "127.0.0.1", done);
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
