import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { CallAcceptParams, CallRejectParams } from "openai/resources/realtime/calls";
import type { RealtimeCallIncomingWebhookEvent } from "openai/resources/webhooks/webhooks";
import { Webhook } from "standardwebhooks";

export type OpenAiRequest = { callId: string; verb: string; authorization: string | undefined; body: CallAcceptParams & CallRejectParams };
export type FakeOpenAi = {
  origin: string;
  /** The requests to it, oldest first. */
  requests: OpenAiRequest[];
  /** Starts a ringing call. Returns its id. */
  ring(): string;
  /** The caller hangs up. */
  hangUp(callId: string): void;
  /** Answers all requests, or those of one verb, with this status; without a status, normally again. */
  fail(status?: number, verb?: "accept" | "reject"): void;
  close(): Promise<void>;
};

/** A local OpenAI server for calls, which accepts each ringing call once. */
export async function startFakeOpenAi(): Promise<FakeOpenAi> {
  const ringing = new Set<string>();
  const requests: OpenAiRequest[] = [];
  let failing: { status: number; verb: string | undefined } | undefined;
  const server = createServer(async (request, response) => {
    const [, callId = "", verb = ""] = /^\/v1\/realtime\/calls\/([^/]+)\/(accept|reject)$/.exec(request.url ?? "") ?? [];
    const body = JSON.parse(await text(request)) as OpenAiRequest["body"];
    requests.push({ callId, verb, authorization: request.headers.authorization, body });
    const failed = failing && (failing.verb ?? verb) === verb ? failing.status : undefined;
    response.writeHead(failed ?? (ringing.delete(callId) ? 200 : 404)).end();
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    ring() {
      const callId = `rtc_${randomUUID()}`;
      ringing.add(callId);
      return callId;
    },
    hangUp: (callId) => void ringing.delete(callId),
    fail: (status, verb) => void (failing = status === undefined ? undefined : { status, verb }),
    close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
  };
}

/** OpenAI's webhook for an incoming call, with signature headers. */
export function signedIncoming(callId: string, secret: string, { from, to }: { from: string; to: string }, at = new Date()) {
  const event: RealtimeCallIncomingWebhookEvent = {
    id: `evt_${randomUUID()}`,
    object: "event",
    created_at: Math.floor(at.getTime() / 1000),
    type: "realtime.call.incoming",
    data: {
      call_id: callId,
      sip_headers: [
        { name: "From", value: `"Caller" <sip:${from}@sip.carrier.example>;tag=1` },
        { name: "To", value: `<sip:${to}@sip.api.openai.com>` },
      ],
    },
  };
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": String(event.created_at),
    "webhook-signature": new Webhook(secret).sign(event.id, at, body),
  };
  return { body, headers };
}
