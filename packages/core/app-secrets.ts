import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Values that functions read from Secrets Manager while they run (packages/aws/secrets/app-secrets.ts). edge: proves that a request came
 * through CloudFront. tokens: signs what we hand out. cursors: encrypts page positions. hashes: keys the hashes in the table. sessions: the
 * ARN of the KMS key that signs session tokens.
 */
export type AppSecret = "edge" | "tokens" | "cursors" | "hashes" | "sessions";

const secretOf = {
  "call-token": "tokens",
  "mcp-handle": "tokens",
  cursor: "cursors",
  attempts: "hashes",
  binding: "hashes",
  "caller-limits": "hashes",
  "caller-mark": "hashes",
  "call-number": "hashes",
  "contact-changes": "hashes",
  "one-time-code": "hashes",
  person: "hashes",
  "proxied-chart": "hashes",
  "proxied-patient": "hashes",
  "proxy-speaker": "hashes",
  "spoken-for": "hashes",
} as const satisfies Record<string, AppSecret>;

/** Each purpose has keys of its own. */
export type KeyPurpose = keyof typeof secretOf;

type Accepted = readonly [current: string, ...others: string[]];
type Held = { values: Accepted; keys: Map<KeyPurpose, [Buffer, ...Buffer[]]> };
const held = new Map<AppSecret, Held>();

/** The current value, then the others that are accepted during and after a rotation. */
export function holdSecret(name: AppSecret, values: Accepted): void {
  if (held.get(name)?.values.join() !== values.join()) held.set(name, { values, keys: new Map() });
}

const heldSecret = (name: AppSecret): Held => {
  const secret = held.get(name);
  if (!secret) throw new Error(`The secret "${name}" was not read: infra/needs names those of each function`);
  return secret;
};

/** The current value first. */
export const secretValues = (name: AppSecret): Accepted => heldSecret(name).values;

/** For processes whose page cursors never leave them. */
export function holdOwnCursorSecret(): void {
  if (!held.has("cursors")) holdSecret("cursors", [randomBytes(32).toString("base64url")]);
}

const derive = (value: string, purpose: KeyPurpose): Buffer => Buffer.from(hkdfSync("sha256", value, "", `vitaline/${purpose}`, 32));

/** 256-bit keys of one purpose (HKDF): the current one, then the others that are accepted. */
export function keysFor(purpose: KeyPurpose): [Buffer, ...Buffer[]] {
  const { values, keys } = heldSecret(secretOf[purpose]);
  const known = keys.get(purpose);
  if (known) return known;
  const [current, ...others] = values;
  const derived: [Buffer, ...Buffer[]] = [derive(current, purpose), ...others.map((value) => derive(value, purpose))];
  keys.set(purpose, derived);
  return derived;
}

type Parts = readonly (string | number)[];
const hashUnder = (key: Buffer, parts: Parts): string => createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");

/** HMAC-SHA-256 in base64url under the current key: for values that could be guessed, and for tokens that only we may issue. */
export const keyedHash = (purpose: KeyPurpose, parts: Parts): string => hashUnder(keysFor(purpose)[0], parts);

/** Under every accepted key, the current one first: to find what was stored before a rotation. */
export const keyedHashes = (purpose: KeyPurpose, parts: Parts): string[] => keysFor(purpose).map((key) => hashUnder(key, parts));

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Whether `presented` is the hash, or its first `length` characters, under any accepted key. */
export const isKeyedHash = (presented: string, purpose: KeyPurpose, parts: Parts, length?: number): boolean =>
  keyedHashes(purpose, parts)
    .map((hash) => isSame(Buffer.from(hash.slice(0, length)), Buffer.from(presented)))
    .includes(true);
