import { type ApiKey, apiKeys } from "@vitaline/contract";
import { useEffect, useRef, useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";

/** Ends one of a tenant's former keys, and reads them again. */
export type EndKey = (keyId: string) => Promise<void>;

/** How the signed-in tenant does it. */
export const useEndOwnKey = (): EndKey => {
  const refresh = useRefresh();
  return async (keyId) => {
    await call(apiKeys.revokeApiKey, { params: { keyId } });
    await refresh(apiKeys.listApiKeys);
  };
};

/** Ends a former key before its time, once somebody has agreed: `asked` is the one that is asked about. */
export const useRevocation = (end: EndKey) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [asked, ask] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<string>();
  const revoke = useToldAction(async (keyId: string) => {
    await end(keyId);
    ask(undefined);
    setRevoked(keyId);
    announce({ type: "success", title: "API Key Revoked", description: "The former key is no longer accepted." });
  });
  // The button that asked is gone.
  useEffect(() => {
    if (revoked !== undefined) heading.current?.focus();
  }, [revoked]);
  return { heading, asked, ask, revoke };
};
