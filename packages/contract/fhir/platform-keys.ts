import * as z from "zod/mini";
import { Instant } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** A public signing key (RFC 7517). Each RSA key is published under one kid per algorithm; the first is the primary. */
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

/**
 * A signing key by its primary kid. `pending`: published, signs from `activeFrom`. `active`: signs. `previous`: published until
 * its signatures have expired. `retired`: no longer published.
 */
export const PlatformKey = z.object({
  kid: z.string(),
  alg: z.literal("RS256"),
  state: z.enum(["pending", "active", "previous", "retired"]),
  createdAt: Instant,
  activeFrom: Instant,
  /** At most a minute late. */
  lastSignedAt: z.nullable(Instant),
});
export type PlatformKey = z.infer<typeof PlatformKey>;

export const platformKeys = routes({
  listPlatformKeys: {
    method: "GET",
    path: "/api/admin/platform/keys",
    auth: "system_admin",
    summary: "The platform's signing keys, newest first",
    response: z.array(PlatformKey),
  },
  generatePlatformKey: {
    method: "POST",
    path: "/api/admin/platform/jwk/generate",
    auth: "system_admin",
    summary: "Generate a signing key pair, or rotate to a new one",
    status: 201,
    body: z.strictObject({ algorithm: z.literal("RS256", "Must be RS256") }),
    response: z.object({ kid: z.string(), state: z.enum(["active", "pending"]) }),
  },
  retirePlatformKey: {
    method: "POST",
    path: "/api/admin/platform/keys/{kid}/retire",
    auth: "system_admin",
    summary: "Remove a previous signing key from the key set early",
    params: z.object({ kid: z.string().check(z.regex(/^[\w-]{20,64}$/)) }),
    response: PlatformKey,
  },
});

export const wellKnown = routes({
  jwks: { method: "GET", path: "/.well-known/jwks.json", auth: "public", summary: "The platform's public signing keys", response: KeySet },
});
