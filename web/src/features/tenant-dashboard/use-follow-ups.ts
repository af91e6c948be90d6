import { tenantCalls } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";

/** One request looks at so many calls, however many there are. */
export const lookedAt = 100;

/** The calls among the latest whose callers somebody of the clinic should call back. */
export const useFollowUps = () => useApi(tenantCalls.listCalls, { query: { needsFollowUp: "true", limit: lookedAt } });
