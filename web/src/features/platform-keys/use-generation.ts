import { platformKeys } from "@vitaline/contract";
import { explain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";

const tellFailed = (error: unknown): string => {
  announce({ type: "error", title: "Key Generation Failed", description: explain(error) });
  return explain(error);
};

/** Makes a signing key: the first one, or the one after those that there are. */
export const useGeneration = (onGenerated: () => void) => {
  const refresh = useRefresh();
  return useToldAction(async () => {
    await call(platformKeys.generatePlatformKey, { body: { algorithm: "RS256" } });
    announce({
      type: "success",
      title: "Platform Key Generated",
      description: "New RSA key pair generated successfully. EHR systems will automatically discover the new key.",
    });
    await refresh(platformKeys.listPlatformKeys).catch(() => undefined);
    onGenerated();
  }, tellFailed);
};
