import { isCallToken, noteApiKeyUse, verifyApiKey, verifyCallToken } from "@vitaline/api-keys";
import { contract } from "@vitaline/contract";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { bearer, type Caller, type Callers, type KeyContext } from "./callers.ts";
import { asActor } from "./context.ts";
import { withEhr } from "./ehr.ts";
import type { HttpEvent } from "./event.ts";

/** An `Authorization` in another form is a wrong key, not an absent one. */
const presentedKeys = (event: HttpEvent): string[] =>
  [event.headers["authorization"] && (bearer(event) ?? "malformed"), event.headers["x-api-key"], event.headers["x-vapi-secret"]].filter(
    (key) => key !== undefined && key !== "",
  ) as string[];

/** A call's token opens what its platform calls during a call, and nothing else. */
const forCalls: readonly string[] = Object.values(contract.mcp).map(({ path }) => path);

const keyHolder: Caller<"key"> = async (ctx, event, route) => {
  const presented = presentedKeys(event);
  const header = (name: string) => event.headers[name];
  const holder = await (forCalls.includes(route.path) && presented.some(isCallToken) ? tokenHolder : holderOfKey)(ctx, presented);
  return { ...holder, header };
};

type Holder = Omit<KeyContext, "header">;

const holderOfKey = async (ctx: PlatformContext, presented: string[]): Promise<Holder> => {
  const { tenantId, keyId } = await verifyApiKey(ctx, presented);
  const alongside = noteApiKeyUse(ctx, { tenantId, keyId });
  return { ...withEhr(asActor(ctx, { kind: "api_key", id: keyId, tenantId }), tenantId), alongside };
};

const tokenHolder = async (ctx: PlatformContext, presented: string[]): Promise<Holder> => {
  const call = await verifyCallToken(ctx, presented);
  const { tenantId, voiceProviderId } = call;
  const actor = { kind: "voice_provider", id: voiceProviderId, tenantId } as const;
  return { ...withEhr(asActor(ctx, actor), tenantId), call, alongside: Promise.resolve() };
};

/** Voice platforms, which present a tenant's API key, or during a call the token that they were given for it. */
export const keyHolders = { key: keyHolder } satisfies Callers;
