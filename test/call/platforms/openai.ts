import { createHmac, randomUUID } from "node:crypto";
import type { RealtimeCallIncomingWebhookEvent } from "openai/resources/webhooks/webhooks";
import * as z from "zod/mini";
import { CannotCall } from "../demo-file.ts";
import { openMcpTools, type McpTools } from "./mcp-tools.ts";
import { accountOf, type Connection, type PhoneCall } from "../phone-call.ts";
import { reportOf } from "../report.ts";
import { openWire } from "./request.ts";
import { spokenLines } from "../spoken-lines.ts";

const Placed = z.object({ call_id: z.string() });
const Accepted = z.object({
  state: z.string(),
  target: z.optional(z.string()),
  session: z.optional(
    z.object({
      tools: z.optional(z.array(z.object({ type: z.string(), server_url: z.optional(z.string()), authorization: z.optional(z.string()) }))),
    }),
  ),
});

/** Standard Webhooks: HMAC-SHA256 over id, time and body, under the bytes of a secret `whsec_<base64>`. Source: openai 7.55.0 webhooks.verifySignature. */
const signatureOf = (body: object, secret: string): Record<string, string> => {
  const [id, seconds] = [`wh_${randomUUID().replaceAll("-", "")}`, String(Math.floor(Date.now() / 1000))];
  const bytes = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret);
  const signature = createHmac("sha256", bytes)
    .update(`${id}.${seconds}.${JSON.stringify(body)}`)
    .digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
};

/**
 * Like OpenAI Realtime by telephone: a signed webhook announces the call and gets the session to accept it with; the model then uses the
 * session's MCP servers. OpenAI transfers only when our server asks it to, and reports no end, so the tenant's client does. Source: openai 7.55.0 realtime.calls and webhooks.
 */
export function openOpenAiCall(connection: Connection): PhoneCall {
  const { origin, apiKey, caller, called } = connection;
  const { webhookUrl, webhookSecret, baseUrl, sandboxKey } = accountOf(connection, "openai");
  if (baseUrl === undefined)
    throw new CannotCall("openai accepts calls through its own API: add --base-url, the sandbox address of the tenant's voice provider.");
  const wire = openWire(origin);
  const spoken = spokenLines();
  const startedMs = Date.now();
  let tools: McpTools | undefined;
  let transferredTo: string | undefined;
  const phone: PhoneCall = {
    callId: "",
    exchanges: wire.exchanges,
    async ring() {
      phone.callId = z.parse(Placed, await atSandbox(baseUrl, "POST", "/calls", sandboxKey)).call_id;
      const body = incoming(phone.callId, { caller, called });
      await wire.tell({ path: new URL(webhookUrl).pathname, headers: signatureOf(body, webhookSecret), body });
    },
    async pickUp() {
      const { state, session } = z.parse(Accepted, await atSandbox(baseUrl, "GET", `/calls/${phone.callId}`));
      if (state !== "accepted")
        throw new CannotCall(`The call is ${state}, not accepted: assign an agent of this provider to the called number.`);
      const server = session?.tools?.find(({ type }) => type === "mcp");
      if (server?.server_url === undefined || server.authorization === undefined)
        throw new CannotCall("The call was accepted without an MCP server and its authorization.");
      tools = await openMcpTools({
        url: server.server_url,
        authorization: server.authorization,
        mode: "legacy",
        exchanges: wire.exchanges,
      });
    },
    say: spoken.say,
    async useTool(name, args) {
      if (!tools) throw new CannotCall("The call has not started.");
      const reply = await tools.use(name, args);
      spoken.pass(reply.ms);
      return reply;
    },
    async transfer(number) {
      const { state, target } = z.parse(Accepted, await atSandbox(baseUrl, "GET", `/calls/${phone.callId}`));
      if (state !== "referred" || target !== `tel:${number}`) throw new CannotCall(`The call is ${state}, not put through to ${number}.`);
      transferredTo = number;
    },
    async hangUp(ending) {
      await tools?.close();
      const report = reportOf({
        ...ending,
        apiKey,
        caller,
        called,
        platform: "openai",
        callId: phone.callId,
        startedMs,
        spoken,
        transferredTo,
      });
      await wire.tell(report);
      return report.body.endedReason ?? "";
    },
  };
  return phone;
}

const incoming = (callId: string, { caller, called }: Pick<Connection, "caller" | "called">): RealtimeCallIncomingWebhookEvent => ({
  id: `evt_${randomUUID().replaceAll("-", "")}`,
  object: "event",
  created_at: Math.floor(Date.now() / 1000),
  type: "realtime.call.incoming",
  data: {
    call_id: callId,
    sip_headers: [
      { name: "From", value: `<sip:${caller}@sip.example>;tag=1` },
      { name: "To", value: `<sip:${called}@sip.example>` },
      { name: "Call-ID", value: randomUUID() },
    ],
    sip_media_security: "srtp",
  },
});

/** Throws CannotCall when the address is not the sandbox's. */
async function atSandbox(baseUrl: string, method: string, path: string, key?: string): Promise<unknown> {
  const url = new URL(path, baseUrl);
  const response = await fetch(url, { method, ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }) }).catch(
    () => undefined,
  );
  if (!response?.ok) throw new CannotCall(`${url.origin} is not a voice sandbox that can place calls.`);
  return response.json();
}
