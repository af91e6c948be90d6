import type { ServerResponse } from "node:http";
import { refusal, type PlatformName } from "./platforms.ts";

/** Must not appear in any answer of the platform. */
export const vendorMessage = "Hot tip: your key sk-vendor-words is not valid";

/** API keys that select a fault; every other key works. */
export const faultyKeys = {
  refused: "key-that-is-refused",
  limited: "key-that-is-limited",
  limitedUntil: "key-that-is-limited-until",
  html: "key-that-gets-html",
  slow: "key-that-gets-silence",
  huge: "key-that-gets-too-much",
  broken: "key-that-gets-half-an-answer",
  odd: "key-that-gets-other-json",
  failing: "key-that-gets-500",
  missing: "key-that-gets-404",
  redirect: "key-that-is-sent-elsewhere",
  repeating: "key-that-gets-one-page-for-ever",
} as const;
export type Fault = keyof typeof faultyKeys;

const byKey = new Map<string, Fault>(Object.entries(faultyKeys).map(([fault, key]) => [key, fault as Fault]));
export const faultOf = (key: string): Fault | undefined => byKey.get(key);

type Fail = (response: ServerResponse, platform: PlatformName) => void;
const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));

export const fail: Readonly<Record<Exclude<Fault, "repeating">, Fail>> = {
  refused: (response, platform) => json(response, 401, refusal(platform, 401, vendorMessage).body),
  limited: (response) => void response.writeHead(429, { "Retry-After": "17" }).end(vendorMessage),
  limitedUntil: (response) => void response.writeHead(429, { "Retry-After": new Date(Date.now() + 120_000).toUTCString() }).end(),
  html: (response) => void response.writeHead(200, { "Content-Type": "text/html" }).end(`<html>${vendorMessage}</html>`),
  slow: () => {},
  huge: (response) => json(response, 200, [{ id: "a", name: "x".repeat(9 * 1024 * 1024) }]),
  broken: (response) => void response.writeHead(200).end(`[{"id":"${vendorMessage}`),
  odd: (response) => json(response, 200, { hello: [vendorMessage] }),
  failing: (response) => void response.writeHead(503).end(vendorMessage),
  missing: (response) => void response.writeHead(404).end(vendorMessage),
  redirect: (response) => void response.writeHead(302, { Location: "http://169.254.169.254/" }).end(),
};
