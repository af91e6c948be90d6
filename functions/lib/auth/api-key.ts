import { isCallToken, recordApiKeyUse, verifyApiKey, verifyCallToken } from "@vitaline/api-keys";
import { mcp } from "@vitaline/contract/voice/tools.ts";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { bindInvocationToTenant } from "@vitaline/tenant-access";
import { withEhr } from "../context/ehr-context.ts";
import { asActor } from "../context/platform-context.ts";
import { type HttpEvent, bearer } from "../http/request.ts";
import type { Authenticator, Authenticators, ApiKeyContext } from "./types.ts";

/** Platforms use one of these headers. An `Authorization` of another scheme counts as a wrong key. */
const presentedKeys = (event: HttpEvent): string[] =>
  [event.headers["authorization"] && (bearer(event) ?? "malformed"), event.headers["x-api-key"], event.headers["x-vapi-secret"]].filter(
    (key) => key !== undefined && key !== "",
  ) as string[];

/** Call tokens are valid only for MCP, which platforms use during calls. */
const callTokenPaths: readonly string[] = Object.values(mcp).map(({ path }) => path);

const authenticate: Authenticator<"key", "directory" | "ehr"> = async (ctx, event, route) => {
  const presented = presentedKeys(event);
  const header = (name: string) => event.headers[name];
  const hasCallToken = callTokenPaths.includes(route.path) && presented.some(isCallToken);
  return { ...(await (hasCallToken ? byCallToken : byApiKey)(ctx, presented)), header };
};

type Authenticated = Omit<ApiKeyContext, "header">;

const byApiKey = async (ctx: ScopedContext<"directory" | "ehr">, presented: string[]): Promise<Authenticated> => {
  const { tenantId, keyId } = await verifyApiKey(ctx, presented);
  bindInvocationToTenant(tenantId);
  const keyUseWrite = recordApiKeyUse(ctx, { tenantId, keyId });
  return { ...withEhr(asActor(ctx, { kind: "api_key", id: keyId, tenantId }), tenantId), keyUseWrite };
};

const byCallToken = async (ctx: ScopedContext<"directory" | "ehr">, presented: string[]): Promise<Authenticated> => {
  const call = await verifyCallToken(ctx, presented);
  const { tenantId, voiceProviderId } = call;
  bindInvocationToTenant(tenantId);
  const actor = { kind: "voice_provider", id: voiceProviderId, tenantId } as const;
  return { ...withEhr(asActor(ctx, actor), tenantId), call, keyUseWrite: Promise.resolve() };
};

/** Voice platforms that present a tenant's API key, or a call token during a call. */
export const apiKeyAuth = { key: authenticate } satisfies Authenticators<"directory" | "ehr">;
