import { setTimeout as sleep } from "node:timers/promises";
import { allRoutes, routeKey, type Route } from "@vitaline/contract";
import { dayMs, newId, utcDate } from "@vitaline/core";
import { keys } from "@vitaline/store";
import fc from "fast-check";
import * as z from "zod/mini";
import { arbitraryOf, type JsonSchema } from "../routes/arbitrary.ts";
import type { Caller } from "./callers.ts";
import type { Asking } from "../../kit/api.ts";
import type { TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";

/** Ids of tenant two's resources by the path segment before them. */
export type ResourceIds = Record<string, string>;

/** Path segments of resources that belong to no tenant. */
const platformSegments = ["users", "providers", "keys", "tools", "exports"];

const stepsOf = ({ path }: Route): { before: string; name: string }[] =>
  [...path.matchAll(/\/([\w-]+)\/\{(\w+)\}/g)].map(([, before = "", name = ""]) => ({ before, name }));

async function createResources(test: TestPlatform, admin: Asking, own: Asking): Promise<ResourceIds> {
  const [, two] = test.demo.tenants;
  if (!two) throw new Error("The matrix needs two tenants");
  const made = async (path: string, asking: Asking, body: object): Promise<string> => {
    const { status, json, text } = await test.api("POST", path, { ...asking, body });
    if (status >= 300) throw new Error(`${path} answered ${status} ${text}`);
    return (json.id ?? json.exportId) as string;
  };
  const first = async (path: string): Promise<string> => (await test.api("GET", path, own)).json[0].id as string;
  const at = `/api/admin/tenants/${two.id}`;
  const tenant = (await test.api("GET", at, admin)).json;
  await test.api("PUT", at, { ...admin, body: { ...editable(tenant), policies: { ownFhirProviders: true, ownVoiceProviders: true } } });
  const fhir = {
    name: "Two's own",
    providerType: "custom",
    baseUrl: "https://two.example/r4",
    clientId: "c",
    clientSecret: "s",
    scopes: "a.read",
  };
  const voiceProviderId = await made(`${at}/voice-providers`, admin, {
    providerType: "vapi",
    providerName: "Two's",
    config: { apiKey: "two-s-platform-key" },
  });
  const webhook = { url: "https://two.example/hook", events: ["lead.captured"] };
  const webhookId = await made("/api/tenant/webhooks", own, webhook);
  const deliveryId = await made(`/api/tenant/webhooks/${webhookId}/test`, own, {});
  // Disabled and finished, so that no retry changes the rows during the comparison
  await test.api("PUT", `/api/tenant/webhooks/${webhookId}`, { ...own, body: { isActive: false } });
  const isPending = async () => (await test.api("GET", "/api/tenant/webhook-deliveries?status=pending", own)).json.length > 0;
  while (await isPending()) await sleep(200);
  const officeId = two.offices[0]?.id ?? "";
  const officeAgent = { voiceProviderId, externalAgentId: "two-s-office-agent", agentName: "Two's agent at its office" };
  const lead = { reason: "other", contact: { name: "Two's caller", phone: "+1 415 555 0199" } };
  const proxy = {
    people: {
      ...{ name: "Two's proxy", phone: "+1 415 555 0198", medicalRecordNumber: "TWO-1" },
      ...{ patientFirstName: "Two's", patientLastName: "Patient", patientBirthDate: "2017-03-04" },
    },
    ...{ relationship: "parent", scope: "all", validUntil: utcDate(Date.now() + 30 * dayMs) },
  };
  return {
    tenants: two.id,
    offices: officeId,
    "voice-providers": voiceProviderId,
    "voice-agents": await made(`${at}/voice-agents`, admin, { voiceProviderId, externalAgentId: "two-s-agent", agentName: "Two's agent" }),
    "offices/voice-agents": await made(`/api/tenant/offices/${officeId}/voice-agents`, own, officeAgent),
    "fhir-providers": await made("/api/tenant/fhir-providers", own, { ...fhir, tokenUrl: "https://two.example/token" }),
    "api-keys": await first("/api/tenant/api-keys"),
    // Taken from the demo data: call ids are the platform's, so tenant one may have the same
    calls: keys.callKeyOf("vapi", `demo-${two.id}-1`),
    ...(await taskOf(test, two.id)),
    leads: await made("/api/tenant/leads", own, lead),
    requests: await made("/api/tenant/requests", own, { kind: "other", message: "Two's request" }),
    proxies: await made("/api/tenant/proxies", own, proxy),
    webhooks: webhookId,
    "webhook-deliveries": deliveryId,
    "kept-events": await keptEventOf(test, two.id),
    "access-reports": await made("/api/tenant/audit/access-reports", own, {
      ...{
        kind: "patient",
        patientId: "two-s-patient",
        start: utcDate(Date.now() - dayMs),
        end: utcDate(Date.now() - dayMs),
        timeZone: "UTC",
      },
    }),
    "audit/exports": await made("/api/tenant/audit/export", own, { format: "json" }),
    sessions: await first("/api/auth/sessions"),
    team: await first("/api/tenant/team"),
  };
}

async function taskOf({ dataDir }: TestPlatform, tenantId: string): Promise<ResourceIds> {
  const id = newId();
  const at = new Date().toISOString();
  const table = openTable(dataDir);
  const task = { id, at, kind: "message", dueAt: at, version: 1, expiresAt: Math.floor(Date.now() / 1000) + 86_400 } as const;
  await table.put({ ...task, sealed: "", ...keys.task(id).primaryKeyIn(tenantId) });
  table.close();
  // Its item of the list of work has the same id, once the stream has told of it.
  return { tasks: id, "to-do": id };
}

async function keptEventOf({ dataDir }: TestPlatform, tenantId: string): Promise<string> {
  const id = newId();
  const row = { id, tenantId, from: "vapi", reason: "unavailable", at: new Date().toISOString(), bytes: 2, tries: 24 };
  const table = openTable(dataDir);
  await table.put({ ...row, ...keys.keptEvent(id).primaryKeyIn(tenantId) });
  table.close();
  return id;
}

const editable = ({ name, organizationType, contactEmail, contactPhone, address, description, isActive }: Record<string, unknown>) => ({
  name,
  organizationType,
  contactEmail,
  contactPhone,
  address,
  description,
  isActive,
});

const schemaOf = (schema: Route["body"]): JsonSchema =>
  z.toJSONSchema(schema as z.ZodMiniType, { io: "input", unrepresentable: "any" }) as JsonSchema;
/** Valid bodies with tenant two's ids in their id fields. */
const bodiesFor = ({ body }: Route, ids: string[]): unknown[] =>
  body
    ? fc.sample(arbitraryOf(schemaOf(body), ids), { numRuns: 40, seed: 7 }).filter((sample) => z.safeParse(body, sample).success)
    : [undefined];

type Request = { path: string; body: unknown };
const namedBy: Record<string, string> = {
  officeId: "offices",
  voiceProviderId: "voice-providers",
  fhirProviderId: "fhir-providers",
  callId: "calls",
  leadId: "leads",
  webhookId: "webhooks",
};
const idsIn = (schema: Route["body"], things: ResourceIds): [field: string, thing: string][] =>
  schema
    ? Object.keys(schemaOf(schema).properties ?? {}).flatMap((field) => {
        const thing = things[namedBy[field] ?? ""];
        return thing === undefined ? [] : [[field, thing] as [string, string]];
      })
    : [];

/** Path with tenant two's ids; where the route names a tenant first, with tenant one's tenant id. */
function filled(route: Route, things: ResourceIds, ownTenantId: string): string | undefined {
  const isTheirs = route.auth === "tenant_admin" || route.auth === "user";
  let path: string = route.path;
  for (const { before, name } of stepsOf(route)) {
    const ofOffice = before === "offices" ? undefined : route.path.includes("/offices/") && things[`offices/${before}`];
    const thing = !isTheirs && before === "tenants" ? ownTenantId : ofOffice || (things[before] ?? things[`audit/${before}`]);
    if (thing === undefined) return undefined;
    path = path.replace(`{${name}}`, thing);
  }
  return path;
}

type Own = { tenantId: string; officeId: string };

/** Valid requests with tenant two's ids in path, query and body. A string reports a missing example. */
function* foreignRequests(route: Route, things: ResourceIds, own: Own): Generator<Request | string> {
  const steps = stepsOf(route);
  const isTheirs = route.auth === "tenant_admin" || route.auth === "user";
  const scoped = isTheirs ? steps : steps.some(({ before }) => before === "tenants") ? steps.slice(1) : [];
  const inPath = scoped.some(({ before }) => !platformSegments.includes(before) || route.path.includes("/audit/exports/"));
  const ofTenant = isTheirs || steps.some(({ before }) => before === "tenants");
  const inQuery = ofTenant ? idsIn(route.query, things) : [];
  const inBody = ofTenant ? idsIn(route.body, things) : [];
  if (!inPath && inQuery.length + inBody.length === 0) return;
  const path = filled(route, things, own.tenantId);
  if (path === undefined) return yield `${routeKey(route)}: no thing of another tenant is known for it`;
  const bodies = bodiesFor(route, Object.values(things)).slice(0, 3);
  if (bodies.length === 0) yield `${routeKey(route)}: no body was found that it takes`;
  for (const body of bodies) {
    if (inPath) yield { path, body };
    // Tenant two's resource below an office of the caller's tenant
    if (scoped.length > 1 && scoped[0]?.before === "offices")
      yield { path: path.replace(`/offices/${things["offices"]}`, `/offices/${own.officeId}`), body };
    for (const [field, thing] of inQuery) yield { path: `${path}?${field}=${thing}`, body };
    for (const [field, thing] of inBody) yield { path, body: { ...(body as object), [field]: thing } };
  }
}

/** Every foreign id must answer the 404 of an unknown id, and tenant two's rows must not change. */
export async function findAcceptedForeignIds(test: TestPlatform, callers: Caller[]): Promise<{ asked: number; broken: string[] }> {
  const [one, two] = test.demo.tenants;
  const named = (name: string): Asking => callers.find((caller) => caller.name === name)?.asking ?? {};
  const [admin, own, theirs] = [
    named("the system administrator"),
    named("tenant one's administrator"),
    named("tenant two's administrator"),
  ];
  const things = await createResources(test, admin, theirs);
  await test.platform.cloud.drained();
  const before = await rowsOf(test, two?.id);
  const broken: string[] = [];
  let asked = 0;
  for (const { route } of allRoutes())
    for (const request of foreignRequests(route, things, { tenantId: one?.id ?? "", officeId: one?.offices[0]?.id ?? "" })) {
      if (typeof request === "string") {
        broken.push(request);
        continue;
      }
      const { status, json } = await test.api(route.method, request.path, {
        ...(route.auth === "system_admin" ? admin : own),
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      asked++;
      if (status !== 404 || json?.code !== "not_found")
        broken.push(`${routeKey(route)} with an id of tenant two answered ${status} ${json?.code}`);
    }
  await test.platform.cloud.drained();
  const after = await rowsOf(test, two?.id);
  for (const [address, row] of after) if (before.get(address) !== row) broken.push(`${address} of tenant two has changed`);
  return { asked, broken };
}

/** Without audit, session and health rows, which tenant two's own reads change. */
async function rowsOf({ dataDir }: TestPlatform, tenantId = "none"): Promise<Map<string, string>> {
  const table = openTable(dataDir);
  const rows = (await table.rows()).filter(({ pk, sk }) => `${pk}|${sk}`.includes(tenantId) && !/#(AUDIT|CHAIN|STATS)|HEALTH/.test(pk));
  table.close();
  return new Map(rows.map((row) => [`${row.pk}|${row.sk}`, JSON.stringify(row)]));
}
