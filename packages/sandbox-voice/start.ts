import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { elevenLabsAgents, openAiModels, retellAgents, vapiAssistants } from "./agents.ts";
import { createConversations, type Conversations } from "./conversations.ts";
import { fail, faultOf, faultyKeys } from "./faults.ts";
import { basePaths, jsonIn, platformNames, refusal, type PlatformRequest, type Call, type PlatformName, type Reply } from "./platforms.ts";
import { openSideband, refuseUpgrade } from "./sideband.ts";
import { createRealtimeCalls, type RealtimeCalls } from "./realtime-calls.ts";

/** The page of a service where visitors book a demonstration; the public site frames one. */
const calendarPath = "/calendar";

const times = ["9:00 AM", "9:30 AM", "11:00 AM", "1:30 PM", "3:00 PM"];
const shownDays = 4;
const dayMs = 86_400_000;

const daysFrom = (now: Date): string[] =>
  Array.from({ length: 2 * shownDays }, (_, at) => new Date(now.getTime() + (at + 1) * dayMs))
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .slice(0, shownDays)
    .map((day) => new Intl.DateTimeFormat("en-US", { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" }).format(day));

const calendarPage = (now: Date): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sample calendar</title>
<style>
body{font:16px/1.5 system-ui;margin:0;padding:1.5rem;color-scheme:light dark}
section{margin:0 0 1.25rem}h1{font-size:1.25rem;margin:0 0 .25rem}h2{font-size:1rem;margin:0 0 .5rem}
ul{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:0;padding:0}li{border:1px solid #8888;border-radius:.5rem;padding:.25rem .75rem}
</style>
<h1>Demo of Vitaline, 30 minutes</h1>
<p>A sample: no time can be booked on this machine. A deployed site shows the calendar that its settings name.</p>
${daysFrom(now)
  .map((day) => `<section><h2>${day}</h2><ul>${times.map((time) => `<li>${time}</li>`).join("")}</ul></section>`)
  .join("\n")}
</html>
`;

export type SandboxVoice = {
  origin: string;
  calendarUrl: string;
  baseUrl(platform: PlatformName): string;
  asked: PlatformRequest[];
  agents: number;
  conversations: Conversations;
  calls: RealtimeCalls;
  close(): Promise<void>;
};

const maxRecorded = 1000;

/** Local copies of four voice platforms' APIs, with faults. */
export async function startSandboxVoice({ port = 0 }: { port?: number } = {}): Promise<SandboxVoice> {
  const here: SandboxVoice = {
    origin: "",
    calendarUrl: "",
    baseUrl: (platform) => here.origin + basePaths[platform],
    asked: [],
    agents: 3,
    conversations: createConversations(),
    calls: createRealtimeCalls(),
    close: async () => {},
  };
  const server = createServer((request, response) => void serve(here, request, response).catch(() => void request.socket.destroy()));
  server.on("upgrade", (request, socket) => sideband(here, request, socket));
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  });
  here.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  here.calendarUrl = here.origin + calendarPath;
  here.close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return here;
}

async function serve(here: SandboxVoice, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url: path = "/" } = request;
  const body = await text(request);
  const platform = platformNames.find((each) => path.startsWith(`${basePaths[each]}/`));
  if (method === "GET" && path === calendarPath)
    return void response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(calendarPage(new Date()));
  if (!platform) return send(response, controlReply(here, { method, path, body, key: bearerOf(request) }));
  const asked: PlatformRequest = { platform, method, path, key: keyOf(platform, request), body };
  here.asked.push(asked);
  if (here.asked.length > maxRecorded) here.asked.shift();
  if (asked.key === "") return send(response, refusal(platform, 401, "No key"));
  const fault = faultOf(asked.key);
  if (fault && fault !== "repeating") return fail[fault](response, platform);
  const { pathname, searchParams } = new URL(path, here.origin);
  const call = { ...asked, route: `${method} ${pathname.slice(basePaths[platform].length)}`, query: searchParams };
  return send(response, platformReply(here, call) ?? refusal(platform, 404, "No such route"));
}

/** `GET /v1/realtime?call_id={id}`, for commands to an accepted call. Source: OpenAI's page on the Realtime API with SIP. */
function sideband({ origin, calls, asked }: SandboxVoice, request: IncomingMessage, socket: Duplex): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", origin);
  const [id, key] = [searchParams.get("call_id") ?? "", bearerOf(request)];
  asked.push({ platform: "openai", method: "GET", path: request.url ?? "/", key, body: "" });
  if (faultOf(key) === "slow") return void socket.once("end", () => socket.destroy()).resume();
  if (faultOf(key) === "refused" || key === "") return refuseUpgrade(socket, 401);
  if (pathname !== `${basePaths.openai}/realtime` || calls.find(id)?.state !== "accepted") return refuseUpgrade(socket, 404);
  openSideband(request, socket, { type: "session.created" }, (message) =>
    calls.greet(id, message) ? { type: "response.created" } : { type: "error", error: { code: "unknown_event" } },
  );
}

const bearerOf = ({ headers }: IncomingMessage): string => (headers.authorization ?? "").replace(/^Bearer /, "");
const keyOf = (platform: PlatformName, request: IncomingMessage): string =>
  platform === "elevenlabs" ? String(request.headers["xi-api-key"] ?? "") : bearerOf(request);

function platformReply({ agents, conversations, calls }: SandboxVoice, call: Call): Reply | undefined {
  const { platform, route, body } = call;
  switch (platform) {
    case "vapi":
      return route === "GET /assistant" ? vapiAssistants(call, agents) : undefined;
    case "retellai":
      return route === "POST /v2/list-agents" ? retellAgents(call, agents) : undefined;
    case "elevenlabs": {
      if (route === "GET /v1/convai/agents") return elevenLabsAgents(call, agents);
      if (route === "GET /v1/convai/conversations") return conversations.list(call);
      const [, id] = /^GET \/v1\/convai\/conversations\/([^/]+)$/.exec(route) ?? [];
      return id === undefined ? undefined : conversations.get(call.key, decodeURIComponent(id));
    }
    case "openai": {
      if (route === "GET /models") return openAiModels();
      const [, id, verb] =
        /^POST \/(?:realtime\/calls\/(?!live_)|live\/sessions\/(?=live_))([^/]+)\/(accept|reject|hangup|refer)$/.exec(route) ?? [];
      return id === undefined || verb === undefined ? undefined : calls.change(call.key, decodeURIComponent(id), verb, body);
    }
  }
}

/**
 * Control routes for scripts on this machine: start a call, read its state, store a conversation. `Authorization: Bearer <API key>` names
 * the account.
 */
function controlReply(
  { conversations, calls, origin }: SandboxVoice,
  { method, path, key, body }: Omit<PlatformRequest, "platform">,
): Reply {
  if (method === "GET" && path === "/") return { status: 200, body: guide(origin) };
  if (method === "POST" && path === "/calls") return { status: 201, body: { call_id: calls.ring(key || undefined) } };
  if (method === "POST" && path === "/calls?api=live") return { status: 201, body: { call_id: calls.ring(key || undefined, "live") } };
  const [, id] = /^\/calls\/([^/]+)$/.exec(path) ?? [];
  const call = method === "GET" && id !== undefined ? calls.find(id) : undefined;
  if (call) return { status: 200, body: call };
  if (method === "POST" && path === "/conversations")
    return { status: key === "" ? 401 : conversations.put(key, jsonIn(body)) ? 201 : 400, body: {} };
  return { status: 404, body: {} };
}

const guide = (origin: string): object => ({
  baseUrls: Object.fromEntries(platformNames.map((platform) => [platform, origin + basePaths[platform]])),
  keys: "Any key is good, but for these, which bring a fault each.",
  faultyKeys,
});

const send = (response: ServerResponse, { status, headers = {}, body }: Reply): void =>
  void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body === undefined ? "" : JSON.stringify(body));
