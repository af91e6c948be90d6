import { type ApiKey, tenants } from "@vitaline/contract";
import { useState } from "react";
import { ApiError } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { announce } from "../../lib/toast.ts";
import { regenerate } from "../api-keys/keys/regenerate.ts";
import { lookAtKey } from "./use-tenant.ts";

const replaced = {
  type: "success",
  title: "API Key Regenerated",
  description: "New API key generated successfully. Update your platform configurations with the new key.",
} as const;

/** Replaces a tenant's key, once somebody has agreed; `failure` is why the last try did not work. */
export const useRegeneration = (tenantId: string, keys: readonly ApiKey[] | undefined, onNewKey: (apiKey: string | null) => void) => {
  const refresh = useRefresh();
  const [failure, setFailure] = useState<unknown>();
  const params = { tenantId };
  const store = {
    list: () => call(tenants.listTenantApiKeys, { params }),
    replace: (overlapSeconds: number) => call(tenants.regenerateTenantApiKey, { params, body: { overlapSeconds } }),
    read: () => lookAtKey(tenantId),
  };
  const action = useAction(
    async (overlapSeconds: number) => {
      setFailure(undefined);
      onNewKey(await regenerate(overlapSeconds, keys, store));
      announce(replaced);
      await refresh(tenants.listTenantApiKeys);
    },
    (error) => {
      setFailure(error);
      const told = error instanceof ApiError ? error.problem?.error : undefined;
      announce({ type: "error", title: "Error", description: told ?? "Failed to regenerate API key. Please try again." });
      // It may have been replaced all the same: what a second try compares with is how it stands now.
      void refresh(tenants.listTenantApiKeys).catch(() => undefined);
    },
  );
  return { ...action, failure, forget: () => setFailure(undefined) };
};
