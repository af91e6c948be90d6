import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { NewVoiceProvider, type VoiceProviderType } from "@vitaline/contract";
import { createVoiceProvider } from "@vitaline/voice-providers";
import { expect } from "vitest";
import type { Clinic } from "./clinics.fixture.ts";

export type Headers = Record<string, string>;
export type Platform = {
  type: VoiceProviderType;
  step: string;
  /** Signs a body at a time in epoch milliseconds. */
  sign(body: string, secret: string, atMs: number): Headers;
  /** A message that needs no answer. */
  small: object;
};
const hmac = (secret: string, text: string, encoding: "hex" | "base64" = "hex") =>
  createHmac("sha256", secret).update(text).digest(encoding);
const inSeconds = (ms: number) => String(Math.floor(ms / 1000));
export const platforms: Platform[] = [
  {
    ...{ type: "vapi", step: "vapi", small: { message: { type: "hang" } } },
    sign: (body, secret, at) => ({ "x-timestamp": inSeconds(at), "x-signature": hmac(secret, `${inSeconds(at)}.${body}`) }),
  },
  {
    ...{ type: "retellai", step: "retell", small: { event: "transcript_updated", call: {} } },
    sign: (body, secret, at) => ({ "x-retell-signature": `v=${at},d=${hmac(secret, body + String(at))}` }),
  },
  {
    ...{ type: "elevenlabs", step: "elevenlabs", small: { type: "voice_removal_notice", data: {} } },
    sign: (body, secret, at) => ({ "elevenlabs-signature": `t=${inSeconds(at)},v0=${hmac(secret, `${inSeconds(at)}.${body}`)}` }),
  },
  {
    ...{ type: "openai", step: "openai", small: { id: "evt_1", object: "event", type: "batch.completed", data: {} } },
    sign: (body, secret, at) => ({
      ...{ "webhook-id": "evt_1", "webhook-timestamp": inSeconds(at) },
      "webhook-signature": `v1,${hmac(secret, `evt_1.${inSeconds(at)}.${body}`, "base64")}`,
    }),
  },
];

export const newSecret = () => randomBytes(24).toString("hex");
/** Creates a voice provider of a clinic. Returns its id. */
export const newProvider = async ({ ctx }: Clinic, providerType: VoiceProviderType, more: object = {}): Promise<string> =>
  (
    await createVoiceProvider(
      ctx,
      NewVoiceProvider.parse({ providerType, providerName: providerType, config: { apiKey: `key-${randomUUID()}` }, ...more }),
    )
  ).id;

export const postTo = async (origin: string, path: string, body: string, headers: Headers) => {
  const response = await fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
/** The answer to a valid signature of an inactive tenant. */
export const inactive = {
  status: 403,
  body: expect.objectContaining({ error: expect.stringContaining("organization is inactive"), code: "tenant_inactive" }) as object,
};
/** The answer to every invalid signature. */
export const refused = {
  status: 401,
  body: expect.objectContaining({ error: "The signature is missing or not valid.", code: "unauthenticated" }) as object,
};
