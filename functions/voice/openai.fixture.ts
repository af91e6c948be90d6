import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { CallAcceptParams, CallReferParams, CallRejectParams } from "openai/resources/realtime/calls";
import type { SessionAcceptParams } from "openai/resources/live/sessions";
import type { LiveTransportIncomingWebhookEvent, RealtimeCallIncomingWebhookEvent } from "openai/resources/webhooks/webhooks";
import { openSideband, refuseUpgrade } from "@vitaline/sandbox-voice";
import { Webhook } from "standardwebhooks";

export type OpenAiRequest = {
  callId: string;
  verb: string;
  authorization: string | undefined;
  body: CallAcceptParams & CallRejectParams & CallReferParams & SessionAcceptParams;
};
type Verb = "accept" | "reject" | "refer" | "hangup";
type Greeting = { callId: string; authorization: string | undefined; message: unknown };
export type FakeOpenAi = {
  origin: string;
  /** The requests to it, oldest first. */
  requests: OpenAiRequest[];
  /** Commands on the WebSockets of accepted calls. */
  greetings: Greeting[];
  /** Whether those WebSockets are refused. */
  mute(on: boolean): void;
  /** Starts a ringing call, of the Live API if asked. Returns its id. */
  ring(api?: "realtime" | "live"): string;
  /** The caller hangs up. */
  hangUp(callId: string): void;
  /** Answers all requests, or those of one verb, with this status or not at all; without a status, normally again. */
  fail(status?: number | "silent", verb?: Verb): void;
  close(): Promise<void>;
};

/** The command that each state of a call allows. */
const allowed: Record<string, readonly string[]> = { ringing: ["accept", "reject"], accepted: ["refer", "hangup"] };
const after: Record<string, string> = { accept: "accepted" };

/** A local OpenAI server for calls. An id of one API is unknown to the other; a call that is over is unknown to both. */
export async function startFakeOpenAi(): Promise<FakeOpenAi> {
  const states = new Map<string, string>();
  const requests: OpenAiRequest[] = [];
  const greetings: Greeting[] = [];
  let isMute = false;
  let failing: { status: number | "silent"; verb: string | undefined } | undefined;
  const server = createServer(async (request, response) => {
    const [, callId = "", verb = ""] =
      /^\/v1\/(?:realtime\/calls\/(?!live_)|live\/sessions\/(?=live_))([^/]+)\/(accept|reject|refer|hangup)$/.exec(request.url ?? "") ?? [];
    const body = JSON.parse((await text(request)) || "{}") as OpenAiRequest["body"];
    requests.push({ callId, verb, authorization: request.headers.authorization, body });
    const failed = failing && (failing.verb ?? verb) === verb ? failing.status : undefined;
    if (failed === "silent") return;
    const state = states.get(callId) ?? "";
    const isAllowed = allowed[state]?.includes(verb) ?? false;
    if (failed === undefined && isAllowed) states.set(callId, after[verb] ?? "over");
    response.writeHead(failed ?? (isAllowed ? 200 : 404)).end();
  });
  server.on("upgrade", (request, socket) => {
    const callId = new URL(request.url ?? "/", "http://openai.example").searchParams.get("call_id") ?? "";
    if (states.get(callId) !== "accepted" || isMute) return refuseUpgrade(socket, 404);
    openSideband(request, socket, { type: "session.created" }, (message) => {
      greetings.push({ callId, authorization: request.headers.authorization, message });
      return { type: "response.created" };
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    greetings,
    mute: (on) => void (isMute = on),
    ring(api = "realtime") {
      const callId = `${api === "live" ? "live" : "rtc"}_${randomUUID()}`;
      states.set(callId, "ringing");
      return callId;
    },
    hangUp: (callId) => void states.delete(callId),
    fail: (status, verb) => void (failing = status === undefined ? undefined : { status, verb }),
    close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
  };
}

/** OpenAI's webhook for an incoming call, with signature headers. */
export function signedIncoming(callId: string, secret: string, { from, to }: { from: string; to: string }, at = new Date()) {
  const sipHeaders = [
    { name: "From", value: `"Caller" <sip:${from}@sip.carrier.example>;tag=1` },
    { name: "To", value: `<sip:${to}@sip.api.openai.com>` },
  ];
  const about = { id: `evt_${randomUUID()}`, object: "event", created_at: Math.floor(at.getTime() / 1000) } as const;
  const event: RealtimeCallIncomingWebhookEvent | LiveTransportIncomingWebhookEvent = callId.startsWith("live_")
    ? { ...about, type: "live.transport.incoming", data: { type: "sip", session_id: callId, sip_headers: sipHeaders } }
    : { ...about, type: "realtime.call.incoming", data: { call_id: callId, sip_headers: sipHeaders } };
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": String(event.created_at),
    "webhook-signature": new Webhook(secret).sign(event.id, at, body),
  };
  return { body, headers };
}
