import { inactive } from "@vitaline/api-keys";
import { unseal } from "@vitaline/aws";
import { Id } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { hookPath, voicePlatforms } from "@vitaline/voice-providers";
import * as z from "zod/mini";
import type { Caller, Callers } from "./callers.ts";
import { asActor } from "./context.ts";
import { withEhr } from "./ehr.ts";

/** One wording for everything: it says neither that there is such a provider nor what is wrong with the signature. */
const refused = () => new AppError("unauthenticated", "The signature is missing or not valid.");

/** Secrets that were opened, by what is read anew for every request: another one is another ciphertext. */
const opened = new Map<string, string>();
const mostOpened = 1000;

async function secretIn(tenantId: string, ciphertext: string): Promise<string> {
  const name = `${tenantId}/${ciphertext}`;
  const known = opened.get(name);
  if (known !== undefined) return known;
  const secret = await unseal("webhook", tenantId, ciphertext);
  if (opened.size >= mostOpened) opened.clear();
  opened.set(name, secret);
  return secret;
}

/** Whose hook the path names, and whether its secret has signed these bytes: one strongly consistent read, none for what is no id. */
const hookHolder: Caller<"signature"> = async (ctx, event, route) => {
  const { data: id } = z.safeParse(Id, event.pathParameters?.["voiceProviderId"]);
  if (id === undefined) throw refused();
  const hook = await ctx.platform.get(keys.hookOwner(id));
  if (!hook?.ciphertext || !hook.isActive || hookPath(hook.providerType) !== route.path) throw refused();
  const { tenantId, providerType, ciphertext } = hook;
  const header = (name: string) => event.headers[name];
  const rawBody = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  const secret = await secretIn(tenantId, ciphertext);
  if (!voicePlatforms[providerType].isSigned({ header, rawBody, secret, now: ctx.clock() })) throw refused();
  // Only who has the secret is told.
  if (hook.suspended) throw inactive();
  return { ...withEhr(asActor(ctx, { kind: "voice_provider", id, tenantId }), tenantId), voiceProviderId: id, header };
};

/** Voice platforms, which sign what they send. */
export const hookHolders = { signature: hookHolder } satisfies Callers;
