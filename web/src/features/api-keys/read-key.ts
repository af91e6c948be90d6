import { tenant } from "@vitaline/contract";
import { UnreadableAnswer } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";

/** The tenant's current key, from where the look at it is audited. Throws as `call` does. */
export const readKey = async (): Promise<string> => {
  const { apiKey } = await call(tenant.tenantInfo, {});
  if (apiKey === null) throw new UnreadableAnswer(tenant.tenantInfo.path);
  return apiKey;
};
