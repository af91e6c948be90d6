import { partitionPatterns } from "@vitaline/store/partitions.ts";
import type { FunctionName } from "../config/functions.ts";
import { ehr, sending, sharedEhrAccess, toolRuns } from "./shared.ts";
import type { Needs, TenantNeeds } from "./types.ts";

const { platform, tenant } = partitionPatterns();

/** Running tools for clients with a tenant's key, or with a signature that names one of its voice providers. */
const toolsByKey = {
  ...sharedEhrAccess,
  ...sending,
  http: true,
  reads: [platform.apiKey, platform.ref, ...ehr.reads],
  writes: ehr.writes,
  deletes: ehr.deletes,
} as const satisfies Needs;
const toolsInTenant = {
  ...toolRuns,
  writes: [...toolRuns.writes, tenant.keyUse],
  // OpenAI transfers and ends a call with its voice provider's key.
  opens: [...toolRuns.opens, "voice-provider-key"],
  files: true,
} as const satisfies TenantNeeds;

/** Functions that voice platforms, EHRs and calendars call. */
export const integrationNeeds = {
  voice: {
    ...toolsByKey,
    secrets: ["tokens", "hashes"],
    tenant: {
      ...toolsInTenant,
      // The secret that a signed request is signed with.
      opens: [...toolsInTenant.opens, "webhook"],
      // What cannot be recorded is kept.
      writes: [...toolsInTenant.writes, tenant.keptEventContent, platform.keptEvents],
    },
  },
  mcp: { ...toolsByKey, secrets: ["tokens", "hashes"], tenant: toolsInTenant },
  // An address that anybody may ask: it knows offices and times, and nothing of patients.
  calendar: { http: true, reads: [platform.calendarToken], tenant: { reads: [tenant.config, tenant.calendar], callIndex: true } },
  wellknown: { http: true, reads: [platform.platformKeys] },
  public: {},
} satisfies Partial<Record<FunctionName, Needs>>;
