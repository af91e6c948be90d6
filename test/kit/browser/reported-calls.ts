import { expect } from "vitest";
import type { Login, Site } from "./site.ts";

export type Reported = { callId: string; status?: string } & Record<string, unknown>;

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const keyOf = async (site: Site, login: Login): Promise<string> => {
  const { json } = await site.api<{ apiKey: string }>("GET", "/api/tenant/info", { token: await site.tokenFor(login) });
  return json.apiKey;
};

export async function report(site: Site, login: Login, calls: readonly Reported[]): Promise<void> {
  const key = await keyOf(site, login);
  for (const call of calls) {
    const { status, text } = await site.api("POST", "/api/calls", { key, body: { platform: "openai", ...call } });
    expect([status, text]).toEqual([200, expect.any(String)]);
  }
}

export async function idOf(site: Site, login: Login, callId: string): Promise<string> {
  const token = await site.tokenFor(login);
  const { json } = await site.api<{ id: string }[]>("GET", `/api/tenant/calls?q=${encodeURIComponent(callId)}`, { token });
  expect(json).toHaveLength(1);
  return json[0]!.id;
}

export const badCall = (callId: string): Reported => ({
  callId,
  status: "failed",
  startedAt: minutesAgo(30),
  endedAt: minutesAgo(28),
  durationSeconds: 95,
  endedReason: "assistant-error",
  success: false,
  agentName: "Front desk",
  direction: "inbound",
  cost: { amount: 0.1234, currency: "USD" },
  callerNumber: "+14155550134",
  calledNumber: "+14155550100",
  sentiment: "negative",
  latency: { p50Ms: 640, p95Ms: 1210 },
  analysis: { wantsCallback: true, topic: "refill", details: { medication: "unknown" } },
  summary: "The caller asked for a refill, and the line broke before it was sent on.",
  transcript: {
    messages: [
      { role: "assistant", text: "Thank you for calling. How can I help you?", atSeconds: 1 },
      { role: "caller", text: "I need my <b>refill</b>, please.", atSeconds: 4.5 },
      { role: "staff", text: "This is the front desk.", atSeconds: 61 },
    ],
  },
});
