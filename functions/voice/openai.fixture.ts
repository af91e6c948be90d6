import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { CallAcceptParams, CallRejectParams } from "openai/resources/realtime/calls";
import type { RealtimeCallIncomingWebhookEvent } from "openai/resources/webhooks/webhooks";
import { Webhook } from "standardwebhooks";

export type Told = { callId: string; verb: string; authorization: string | undefined; body: CallAcceptParams & CallRejectParams };
export type SmallOpenAi = {
  origin: string;
  /** What it was told, oldest first. */
  told: Told[];
  /** A call begins to ring; its id. */
  ring(): string;
  /** The caller hangs up. */
  hangUp(callId: string): void;
  /** Answers every order, or those of this verb, with this status from now on; without one it works again. */
  fail(status?: number, verb?: "accept" | "reject"): void;
  close(): Promise<void>;
};

/** As much of OpenAI on this machine as a call needs: it knows which calls ring, and takes each up once. */
export async function startSmallOpenAi(): Promise<SmallOpenAi> {
  const ringing = new Set<string>();
  const told: Told[] = [];
  let failing: { status: number; verb: string | undefined } | undefined;
  const server = createServer(async (request, response) => {
    const [, callId = "", verb = ""] = /^\/v1\/realtime\/calls\/([^/]+)\/(accept|reject)$/.exec(request.url ?? "") ?? [];
    const body = JSON.parse(await text(request)) as Told["body"];
    told.push({ callId, verb, authorization: request.headers.authorization, body });
    const failed = failing && (failing.verb ?? verb) === verb ? failing.status : undefined;
    response.writeHead(failed ?? (ringing.delete(callId) ? 200 : 404)).end();
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
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

/** What OpenAI says of a call that rings, and the headers that it signs it with. */
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
