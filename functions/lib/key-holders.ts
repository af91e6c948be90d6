import { verifyApiKey } from "@vitaline/api-keys";
import { bearer, type Caller, type Callers } from "./callers.ts";
import { asActor } from "./context.ts";
import { withEhr } from "./ehr.ts";
import type { HttpEvent } from "./event.ts";

/** An `Authorization` in another form is a wrong key, not an absent one. */
const presentedKeys = (event: HttpEvent): string[] =>
  [event.headers["authorization"] && (bearer(event) ?? "malformed"), event.headers["x-api-key"], event.headers["x-vapi-secret"]].filter(
    (key) => key !== undefined && key !== "",
  ) as string[];

const keyHolder: Caller<"key"> = async (ctx, event) => {
  const { tenantId, keyId } = await verifyApiKey(ctx, presentedKeys(event));
  return { ...withEhr(asActor(ctx, { kind: "api_key", id: keyId, tenantId }), tenantId), keyId };
};

/** Voice platforms, which present a tenant's API key. */
export const keyHolders = { key: keyHolder } satisfies Callers;
