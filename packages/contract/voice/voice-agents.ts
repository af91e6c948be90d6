import * as z from "zod/mini";
import { Id, Instant, line, Nothing } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { jsonObject, NewestPage, VoicePage, VoiceProviderType } from "./voice-providers.ts";

const choose = "Please select a voice provider and agent";

/** The agent in the platform's list. */
const Snapshot = z.object({
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  description: z.optional(z.nullable(z.string())),
  isActive: z.optional(z.boolean()),
});
/** A platform's text, limited to the size of a row. */
const foreign = (max: number) =>
  z.pipe(
    z.string(),
    z.transform((text) => text.slice(0, max).toWellFormed()),
  );
/** Other fields of the platform, such as prompts, are dropped. */
const GivenSnapshot = z.extend(Snapshot, {
  id: z.optional(foreign(200)),
  name: z.optional(foreign(200)),
  description: z.optional(z.nullable(foreign(2000))),
});

export const VoiceAgent = z.object({
  id: Id,
  tenantId: Id,
  /** Absent: assigned to the tenant. */
  officeId: z.optional(Id),
  voiceProviderId: Id,
  providerType: VoiceProviderType,
  externalAgentId: z.string(),
  agentName: z.string(),
  agentData: z.nullable(Snapshot),
  isActive: z.boolean(),
  createdAt: Instant,
  version: z.number(),
});
export type VoiceAgent = z.infer<typeof VoiceAgent>;

export const NewVoiceAgent = z.strictObject({
  voiceProviderId: z.string(choose).check(z.minLength(1, choose), z.regex(/^([0-9a-z]{26})?$/, "Must be an id of this platform")),
  externalAgentId: line(200, choose),
  agentName: line(200, "Agent name is required"),
  agentData: z.optional(z.nullable(z.pipe(jsonObject(16 * 1024), GivenSnapshot))),
  isActive: z._default(z.boolean(), true),
});
export type NewVoiceAgent = z.infer<typeof NewVoiceAgent>;

/** Provider and agent of an assignment cannot be changed. */
export const ChangedVoiceAgent = z.strictObject({ isActive: z.boolean() });
export type ChangedVoiceAgent = z.infer<typeof ChangedVoiceAgent>;

/** An entry of the list over all tenants. */
export const ListedVoiceAgent = z.object({
  id: Id,
  tenantId: Id,
  tenantName: z.string(),
  officeId: z.optional(Id),
  voiceProviderId: Id,
  providerType: VoiceProviderType,
  agentName: z.string(),
  isActive: z.boolean(),
  createdAt: Instant,
});
export type ListedVoiceAgent = z.infer<typeof ListedVoiceAgent>;

const ofTenant = "/api/admin/tenants/{tenantId}/voice-agents";
const ofOffice = "/api/admin/offices/{officeId}/voice-agents";

export const voiceAgents = routes({
  listVoiceAgents: {
    method: "GET",
    path: ofTenant,
    auth: "system_admin",
    summary: "List the agents that answer for a tenant or for one of its offices",
    params: z.object({ tenantId: Id }),
    query: VoicePage,
    response: z.array(VoiceAgent),
  },
  assignVoiceAgent: {
    method: "POST",
    path: ofTenant,
    auth: "system_admin",
    summary: "Assign an agent to a tenant",
    status: 201,
    params: z.object({ tenantId: Id }),
    body: NewVoiceAgent,
    response: VoiceAgent,
  },
  updateVoiceAgent: {
    method: "PUT",
    path: `${ofTenant}/{id}`,
    auth: "system_admin",
    summary: "Switch an agent of a tenant or of one of its offices on or off",
    params: z.object({ tenantId: Id, id: Id }),
    body: ChangedVoiceAgent,
    response: VoiceAgent,
  },
  deleteVoiceAgent: {
    method: "DELETE",
    path: `${ofTenant}/{id}`,
    auth: "system_admin",
    summary: "Remove an agent from a tenant or one of its offices",
    status: 204,
    params: z.object({ tenantId: Id, id: Id }),
    response: Nothing,
  },
  listOfficeVoiceAgents: {
    method: "GET",
    path: ofOffice,
    auth: "system_admin",
    summary: "List the agents that answer for an office",
    params: z.object({ officeId: Id }),
    query: VoicePage,
    response: z.array(VoiceAgent),
  },
  assignOfficeVoiceAgent: {
    method: "POST",
    path: ofOffice,
    auth: "system_admin",
    summary: "Assign an agent to an office",
    status: 201,
    params: z.object({ officeId: Id }),
    body: NewVoiceAgent,
    response: VoiceAgent,
  },
  updateOfficeVoiceAgent: {
    method: "PUT",
    path: `${ofOffice}/{id}`,
    auth: "system_admin",
    summary: "Switch an office's agent on or off",
    params: z.object({ officeId: Id, id: Id }),
    body: ChangedVoiceAgent,
    response: VoiceAgent,
  },
  deleteOfficeVoiceAgent: {
    method: "DELETE",
    path: `${ofOffice}/{id}`,
    auth: "system_admin",
    summary: "Remove an agent from an office",
    status: 204,
    params: z.object({ officeId: Id, id: Id }),
    response: Nothing,
  },
  listAllVoiceAgents: {
    method: "GET",
    path: "/api/admin/voice-agents",
    auth: "system_admin",
    summary: "List the assigned agents of all tenants, newest first",
    query: NewestPage,
    response: z.array(ListedVoiceAgent),
  },
});

const ofOwnOffice = "/api/tenant/offices/{officeId}/voice-agents";

/** The tenant's own choice of agents for its offices. */
export const tenantVoiceAgents = routes({
  listOwnVoiceAgents: {
    method: "GET",
    path: "/api/tenant/voice-agents",
    auth: "tenant_admin",
    summary: "List the agents that answer for the tenant, then those of its offices",
    query: VoicePage,
    response: z.array(VoiceAgent),
  },
  assignOwnVoiceAgent: {
    method: "POST",
    path: ofOwnOffice,
    auth: "tenant_admin",
    summary: "Assign an agent to an office",
    status: 201,
    params: z.object({ officeId: Id }),
    body: NewVoiceAgent,
    response: VoiceAgent,
  },
  updateOwnVoiceAgent: {
    method: "PUT",
    path: `${ofOwnOffice}/{id}`,
    auth: "tenant_admin",
    summary: "Switch an office's agent on or off",
    params: z.object({ officeId: Id, id: Id }),
    body: ChangedVoiceAgent,
    response: VoiceAgent,
  },
  deleteOwnVoiceAgent: {
    method: "DELETE",
    path: `${ofOwnOffice}/{id}`,
    auth: "tenant_admin",
    summary: "Remove an agent from an office",
    status: 204,
    params: z.object({ officeId: Id, id: Id }),
    response: Nothing,
  },
});
