import { allRoutes, Problem, routeKey, type Auth, type Route } from "@vitaline/contract";
import fc from "fast-check";
import { expect } from "vitest";
import * as z from "zod/mini";
import { arbitraryOf, hostile, nearly, type JsonSchema } from "./arbitrary.ts";
import type { Answer, Asking, Json } from "../../kit/api.ts";
import type { TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";

const planted = { voiceKey: "planted-voice-platform-key", webhookSecret: "planted-webhook-secret", clientSecret: "planted-client-secret" };
const reveals = ["tenantInfo", "regenerateApiKey", "getTenant", "createTenant", "regenerateTenantApiKey", "snippets"];
/** Most generated addresses of external services do not exist. */
const externalErrors = /^(ehr|outbound|voice_platform)_/;

let it: TestPlatform;
let ids: string[];
let keys: string[];
let callers: Partial<Record<Auth, () => Promise<Asking>>>;

async function plant(): Promise<void> {
  const [own, other] = it.demo.tenants;
  if (!own || !other) throw new Error("Two tenants are needed");
  const { api } = it;
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const made = async (path: string, body: object): Promise<string> => {
    const { status, json, text } = await api("POST", path, { token, body });
    if (status !== 201) throw new Error(`${path} answered ${status} ${text}`);
    return json.id as string;
  };
  const tenantId = await made("/api/admin/tenants", { name: "Fuzzed", contactEmail: "desk@fuzz.example" });
  const officeId = await made(`/api/admin/tenants/${tenantId}/offices`, { name: "Fuzzed office" });
  const voice = {
    providerType: "vapi",
    providerName: "Planted",
    config: { apiKey: planted.voiceKey },
    webhookSecret: planted.webhookSecret,
  };
  const voiceProviderId = await made(`/api/admin/tenants/${tenantId}/voice-providers`, voice);
  const agent = { voiceProviderId, externalAgentId: "agent-1", agentName: "Planted agent" };
  const agentId = await made(`/api/admin/tenants/${tenantId}/voice-agents`, agent);
  const fhir = { name: "Planted", providerType: "custom", baseUrl: "https://fhir.fuzz.example/r4", clientId: "c", scopes: "system/*.read" };
  const fhirId = await made("/api/admin/fhir/providers", {
    ...fhir,
    clientSecret: planted.clientSecret,
    tokenUrl: "https://fhir.fuzz.example/t",
  });
  const login = { email: "fuzzed@fuzz.example", password: "a-planted-password-1", firstName: "F", lastName: "Z" };
  const userId = await made("/api/admin/users", { ...login, role: "tenant_admin", tenantId });
  // Tenant one's user and key send the requests; tenant two must not change
  ids = [tenantId, officeId, voiceProviderId, agentId, fhirId, userId, other.offices[0]?.id ?? "", "0".repeat(26), "not-an-id", ""];
  keys = it.demo.tenants.map(({ apiKey }) => apiKey);
  const session =
    ({ email, password }: { email: string; password: string }) =>
    async () => ({ token: await tokenOf(email, password) });
  callers = {
    public: async () => ({}),
    user: session(own.admin),
    tenant_admin: session(own.admin),
    system_admin: session(it.demo.systemAdmin),
    key: async () => ({ key: (await api("GET", "/api/tenant/info", await session(own.admin)())).json.apiKey as string }),
    signature: async () => ({ headers: { "x-vapi-secret": planted.webhookSecret } }),
  };
}

/** Sign-ins are rate limited per hour, so the attempts are removed before each. */
async function tokenOf(email: string, password: string): Promise<string> {
  const first = await it.api("POST", "/api/auth/login", { body: { email, password } });
  if (first.status === 200) return first.json.token as string;
  const table = openTable(it.dataDir);
  for (const row of await table.rows("THROTTLE#")) await table.remove(row);
  table.close();
  return it.tokenOf(email, password);
}

const schemaOf = (schema: Route["body"]): JsonSchema =>
  schema ? (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema) : {};

const mixed = (schema: Route["body"]): fc.Arbitrary<unknown> => {
  const valid = arbitraryOf(schemaOf(schema), ids);
  return fc.oneof({ weight: 5, arbitrary: valid }, { weight: 3, arbitrary: nearly(valid) }, { weight: 1, arbitrary: hostile });
};

const requestTo = (route: Route) =>
  fc.record({
    params: fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.string() }), {
      minLength: 3,
      maxLength: 3,
    }),
    query: route.query ? mixed(route.query) : fc.constant({}),
    body: route.body ? mixed(route.body) : fc.constant(undefined),
    ifMatch: fc.constantFrom(undefined, undefined, '"1"', '"7"', "x"),
  });
type Sent = { params: string[]; query: unknown; body: unknown; ifMatch: string | undefined };

function addressOf({ path }: Route, { params, query }: Sent): string {
  let at = 0;
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(params[at++] || "x"));
  const pairs = Object.entries(typeof query === "object" && query !== null ? query : {}).map(([name, value]) => [
    name,
    // CloudFront's limit for a URL
    (typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, 2000),
  ]);
  const search = new URLSearchParams(pairs).toString();
  return search ? `${filled}?${search}` : filled;
}

function flawOf(operation: string, route: Route, { status, json, text }: Answer<Json>): string | undefined {
  const isProblem = z.safeParse(Problem, json).success;
  if (status >= 500 && !(status === 503 && isProblem && externalErrors.test(json.code))) return `answered ${status} ${text}`;
  if (status >= 400 && !isProblem) return `answered ${status} without saying why: ${text}`;
  if (status < 300 && status !== 204 && !z.safeParse(route.response, json).success)
    return `answered what its schema does not allow: ${text}`;
  const secrets = [...Object.values(planted), "$argon2id$", "PRIVATE KEY", ...(reveals.includes(operation) ? [] : [...keys, "vtl_live_"])];
  const told = secrets.find((secret) => text.includes(secret));
  return told && `told ${told}`;
}

const routes = allRoutes();
const held: Partial<Record<Auth, Asking>> = {};
async function asking(auth: Auth): Promise<Asking> {
  return (held[auth] ??= (await callers[auth]?.()) ?? {});
}

/**
 * Requests every route `timesEach` times: no 5xx, an answer of its schema, and no secret. Returns the number of routes that succeeded.
 */
export async function sweep(platform: TestPlatform, timesEach: number): Promise<number> {
  it = platform;
  for (const auth of Object.keys(held) as Auth[]) delete held[auth];
  await plant();
  const statuses = new Map<number, number>();
  const answeredWell = new Set<string>();
  const seed = Number(process.env["SEED"] ?? 20260717);
  const requests = routes.flatMap(({ operation, route }, at) =>
    fc.sample(requestTo(route), { numRuns: timesEach, seed: seed + at }).map((sent, nth) => ({ operation, route, sent, nth })),
  );
  for (const { operation, route, sent } of requests.toSorted((a, b) => a.nth - b.nth)) {
    const ask = async () => {
      const { headers, ...credential } = await asking(route.auth);
      return it.api(route.method, addressOf(route, sent), {
        ...credential,
        ...(route.body ? { body: JSON.stringify(sent.body) ?? "{}" } : {}),
        headers: { ...headers, ...(sent.ifMatch ? { "if-match": sent.ifMatch } : {}) },
      });
    };
    let answer = await ask();
    if (answer.status === 401 && route.auth !== "public" && route.auth !== "signature") {
      // An earlier request ended the session or replaced the key
      delete held[route.auth];
      answer = await ask();
    }
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 300) answeredWell.add(operation);
    const flaw = flawOf(operation, route, answer);
    if (flaw) throw new Error(`${routeKey(route)} ${flaw}\n${JSON.stringify(sent).slice(0, 2000)}`);
  }
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `${requests.length} requests over ${routes.length} routes; ${counts.join(", ")}; ${answeredWell.size} routes were also satisfied\n`,
  );
  return answeredWell.size;
}

export async function secretsAfterSweep(): Promise<string[]> {
  const [, other] = it.demo.tenants;
  const token = await tokenOf(other?.admin.email ?? "", other?.admin.password ?? "");
  expect((await it.api("GET", "/api/tenant/info", { token })).json).toMatchObject({
    organizationName: other?.name,
    apiKey: other?.apiKey,
    isActive: true,
  });
  const table = openTable(it.dataDir);
  const text = JSON.stringify(await table.rows());
  table.close();
  expect(it.logText()).not.toMatch(/planted-|vtl_live_|\$argon2id/);
  return [...Object.values(planted), ...keys].filter((secret) => text.includes(secret));
}
