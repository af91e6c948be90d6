import { tenantInactive } from "@vitaline/api-keys";
import { unseal } from "@vitaline/aws";
import { Id } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { hookPath, loadVoicePlatform } from "@vitaline/voice-providers";
import * as z from "zod/mini";
import { bindInvocationToTenant } from "@vitaline/tenant-access";
import { withEhr } from "../context/ehr-context.ts";
import { asActor } from "../context/platform-context.ts";
import type { Authenticator, Authenticators } from "./types.ts";

/** The same message in all cases, so it reveals neither the provider's existence nor the flaw. */
const refused = () => new AppError("unauthenticated", "The signature is missing or not valid.");

/** Decrypted secrets by tenant and ciphertext. The ciphertext is read for every request, so a new secret is never stale. */
const secrets = new Map<string, string>();
const maxSecrets = 1000;

async function unsealSecret(tenantId: string, ciphertext: string): Promise<string> {
  const name = `${tenantId}/${ciphertext}`;
  const known = secrets.get(name);
  if (known !== undefined) return known;
  const secret = await unseal("webhook", tenantId, ciphertext);
  if (secrets.size >= maxSecrets) secrets.clear();
  secrets.set(name, secret);
  return secret;
}

/** Verifies the signature of the voice provider named in the path. One strongly consistent read, none for a malformed id. */
const authenticate: Authenticator<"signature", "directory" | "ehr"> = async (ctx, event, route) => {
  const { data: id } = z.safeParse(Id, event.pathParameters?.["voiceProviderId"]);
  if (id === undefined) throw refused();
  const hook = await ctx.platform.get(keys.hookBeforeTenant(id));
  if (!hook?.ciphertext || !hook.isActive || hookPath(hook.providerType) !== route.path) throw refused();
  const { tenantId, providerType, ciphertext } = hook;
  const header = (name: string) => event.headers[name];
  const rawBody = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  bindInvocationToTenant(tenantId);
  const platform = await loadVoicePlatform(providerType);
  const now = ctx.clock();
  const isSignedBy = async (sealed: string): Promise<boolean> =>
    platform.hasValidSignature({ header, rawBody, secret: await unsealSecret(tenantId, sealed), now });
  const former = hook.previous && hook.previous.untilMs > now.getTime() ? hook.previous.ciphertext : undefined;
  if (!(await isSignedBy(ciphertext)) && (former === undefined || !(await isSignedBy(former)))) throw refused();
  // After the signature, so only the provider learns that the tenant is suspended.
  if (hook.suspended) throw tenantInactive();
  return { ...withEhr(asActor(ctx, { kind: "voice_provider", id, tenantId }), tenantId), voiceProviderId: id, header };
};

/** Voice platforms that sign their requests. */
export const signatureAuth = { signature: authenticate } satisfies Authenticators<"directory" | "ehr">;
