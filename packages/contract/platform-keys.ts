import * as z from "zod/mini";
import { routes } from "./route.ts";

/** A public signing key (RFC 7517). The same RSA key stands under one kid per algorithm, the first being the primary. */
export const Jwk = z.object({
  kty: z.literal("RSA"),
  kid: z.string(),
  alg: z.enum(["RS256", "RS384"]),
  use: z.literal("sig"),
  key_ops: z.array(z.literal("verify")),
  n: z.string(),
  e: z.string(),
});
export type Jwk = z.infer<typeof Jwk>;

export const KeySet = z.object({ keys: z.array(Jwk) });
export type KeySet = z.infer<typeof KeySet>;

export const platformKeys = routes({
  generatePlatformKey: {
    method: "POST",
    path: "/api/admin/platform/jwk/generate",
    auth: "system_admin",
    summary: "Generate a signing key pair, or rotate to a new one",
    status: 201,
    body: z.strictObject({ algorithm: z.literal("RS256", "Must be RS256") }),
    response: z.object({ kid: z.string(), state: z.enum(["active", "pending"]) }),
  },
});

export const wellKnown = routes({
  jwks: { method: "GET", path: "/.well-known/jwks.json", auth: "public", summary: "The platform's public signing keys", response: KeySet },
});
