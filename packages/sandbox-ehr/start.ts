import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Slot } from "fhir/r4.js";
import { type ClientRegistration, createClientKeys } from "./auth/client-keys.ts";
import { demoClientId, demoScopes } from "./auth/scopes.ts";
import { tokenFaultOf, applyFault, applyFaultToCall, matchAccents } from "./faults/fault-effects.ts";
import { createFaults, type FaultTarget } from "./faults/faults.ts";
import { type Call, formOf, readCall, refusalReply, type Reply, send } from "./http/http.ts";
import { page } from "./page.ts";
import { createPersonalities } from "./personalities/index.ts";
import { defaultSeed, demoChildren, type DemoChild, type DemoPatient, demoPatients, seedStore } from "./seed/index.ts";
import { type Address, openServers, type ServerAddresses } from "./servers.ts";
import { openStore, type Store } from "./store/store.ts";
import type { Resource } from "./store/resource.ts";
import { epicIds } from "./personalities/personality.ts";

export interface SandboxOptions {
  port?: number;
  dataDir?: string;
  jwksUrl?: string | (() => string);
  clients?: ClientRegistration[];
  seed?: number;
  openReads?: boolean;
  tokenSeconds?: number;
  /** Days ahead that have appointment slots. */
  slotDays?: number;
  /** Days from today to the first appointment slots. */
  firstSlotDay?: number;
  /** The origin that clients know it by; without it the one that it listens at. */
  knownAs?: string;
  /** Accepts any client and any token for anything: its clients run in the same process. */
  trusting?: boolean;
  now?: () => Date;
}

export interface SandboxEhr {
  origin: string;
  /** Where it listens, also when clients know it by another origin. */
  listening: string;
  r4: Address;
  stu3: Address;
  dstu2: Address;
  servers: ServerAddresses;
  client: { id: string; scopes: string };
  patients: DemoPatient[];
  children: DemoChild[];
  registerClient(client: ClientRegistration): void;
  /** A change by the clinic's staff, without the limits of clients. */
  put(resource: Resource): Promise<void>;
  close(): Promise<void>;
}

export async function startSandboxEhr(options: SandboxOptions = {}): Promise<SandboxEhr> {
  const { port = 0, dataDir, jwksUrl, clients = [], seed = defaultSeed, openReads, tokenSeconds = 300, now = () => new Date() } = options;
  const { slotDays: count, firstSlotDay: first, trusting } = options;
  const store = await openStore({ dataDir, now });
  await seedStore(store, now(), seed, { first, count });

  const http = createServer();
  const listening = await listen(http, port);
  const origin = options.knownAs ?? listening;
  const keys = createClientKeys();
  for (const client of clients) keys.register(client);
  if (jwksUrl) keys.register({ clientId: demoClientId, jwksUrl });

  const personalities = createPersonalities();
  const { addresses, serverFor } = openServers(personalities, { origin, store, keys, now, seed, tokenSeconds, openReads, trusting });
  const faults = createFaults();
  const patients = demoPatients(seed);
  const client = { id: demoClientId, scopes: demoScopes };

  const answer = async (call: Call): Promise<Reply | "cut" | "silence"> => {
    if (call.path === "/")
      return { status: 200, body: page({ origin, personalities, addresses, client: jwksUrl ? client : undefined, patients, openReads }) };
    if (call.path === "/faults") return faults.answer(call);
    const { at, path, keepsSlotsFree, store: kept, serve } = serverFor(call);
    if (at === "sign-in") return serve(call);
    const struck: FaultTarget = { call, at, path };
    const fault = faults.strike(struck);
    if (fault?.kind === "slot-taken") await markSlot(kept, call, "busy");
    const reply = await applyFault(fault, `${origin}${pageOf(call)}`, () =>
      serve(applyFaultToCall(fault?.kind, call), tokenFaultOf(fault?.kind)).catch(refusalReply),
    );
    const isBooking = call.method === "POST" && path === "/Appointment";
    if (fault?.kind === "slot-not-flipped" || (keepsSlotsFree && isBooking)) await markSlot(kept, call, "free");
    return fault?.kind === "strict-accents" && typeof reply !== "string" ? matchAccents(call, reply) : reply;
  };

  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void readCall(request)
      .then(answer)
      .catch((error: unknown) => refusalReply(error))
      .then((reply) => {
        if (reply === "cut") request.socket.destroy();
        else if (reply !== "silence") send(response, reply);
      });
  });

  return {
    origin,
    listening,
    r4: addresses.plain.R4,
    stu3: addresses.plain.STU3,
    dstu2: addresses.plain.DSTU2,
    servers: addresses,
    client,
    patients,
    children: demoChildren(store),
    registerClient: keys.register,
    put: async (resource) => void (await store.commit([resource])),
    async close() {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
      await store.close();
    },
  };
}

/** Pages of a POST search are read by GET. */
const pageOf = (call: Call): string => `${call.path.replace(/\/_search$/, "")}?${formOf(call) ?? call.query}`;

async function listen(http: HttpServer, port: number): Promise<string> {
  await new Promise<void>((done, fail) => {
    http.once("error", fail);
    http.listen(port, "127.0.0.1", done);
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** Simulates another user who changes the slot during the booking. */
async function markSlot(store: Store, call: Call, status: Slot["status"]): Promise<void> {
  const [id] = /(?<="Slot\/)[A-Za-z0-9.-]+/.exec(call.body) ?? [];
  const wanted = id && store.get("Slot", epicIds.decode(id));
  if (wanted) await store.commit([{ ...wanted, status }]);
}
