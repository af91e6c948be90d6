import { allRoutes, routeKey, type Auth, type Route } from "@vitaline/contract";
import { newApiKey } from "../../packages/api-keys/format.ts";
import { runCall } from "../call/run-call.ts";
import type { Asking, TestPlatform } from "./platform.fixture.ts";

/** Somebody who asks, and which kinds of route are theirs. */
type Caller = { name: string; asking: Asking; may: readonly Auth[]; session?: true };

const callersOf = async ({ demo, tokenOf }: TestPlatform): Promise<Caller[]> => {
  const [one, two] = demo.tenants;
  if (!one || !two) throw new Error("The matrix needs two tenants");
  const session = async ({ email, password }: { email: string; password: string }) => ({ token: await tokenOf(email, password) });
  return [
    { name: "nobody", asking: {}, may: ["public"] },
    { name: "a junk token", asking: { token: "x.y.z" }, may: ["public"] },
    { name: "a key that was never issued", asking: { key: newApiKey() }, may: ["public"] },
    { name: "a key in the session's place", asking: { headers: { "x-api-key": one.apiKey } }, may: ["public", "key"] },
    { name: "tenant one's key", asking: { key: one.apiKey }, may: ["public", "key"] },
    { name: "tenant two's key", asking: { key: two.apiKey }, may: ["public", "key"] },
    { name: "tenant one's administrator", asking: await session(one.admin), may: ["public", "user", "tenant_admin"], session: true },
    { name: "tenant two's administrator", asking: await session(two.admin), may: ["public", "user", "tenant_admin"], session: true },
    { name: "the system administrator", asking: await session(demo.systemAdmin), may: ["public", "user", "system_admin"], session: true },
  ];
};

/** Allowed callers do not try these here, as they would end a session or change a key, which other tests do. */
const changesWhoMayAsk = ["logout", "regenerateApiKey", "generatePlatformKey"];

const addressOf = ({ path }: Route, tenantId: string): string => path.replace("{tenantId}", tenantId);

/** Every route of the contract, asked by everybody. */
async function rolesBroken(test: TestPlatform, callers: Caller[]): Promise<string[]> {
  const broken: string[] = [];
  const tenantId = test.demo.tenants[0]?.id ?? "";
  for (const { operation, route } of allRoutes())
    for (const caller of callers) {
      const allowed = caller.may.includes(route.auth);
      if (allowed && changesWhoMayAsk.includes(operation)) continue;
      const { status } = await test.api(route.method, addressOf(route, tenantId), {
        ...caller.asking,
        ...(route.body ? { body: {} } : {}),
      });
      const wanted = allowed ? "an answer" : caller.session && route.auth !== "key" ? 403 : 401;
      const answers = route.method === "GET" ? status === 200 : status !== 401 && status !== 403 && status < 500;
      const kept = wanted === "an answer" ? answers : status === wanted;
      // Somebody unknown is told the same of a route for keys and of one for people; a wrong password is no breach.
      if (!kept && !(operation === "login" && status < 500))
        broken.push(`${caller.name}: ${routeKey(route)} answered ${status}, not ${wanted}`);
    }
  return broken;
}

/** No answer to one tenant's administrator holds anything that names the other tenant. */
async function answersLeaking(test: TestPlatform, callers: Caller[]): Promise<string[]> {
  const admins = ["tenant one's administrator", "tenant two's administrator"].map((name) => callers.find((caller) => caller.name === name));
  const marks: string[][] = [];
  for (const [index, tenant] of test.demo.tenants.slice(0, 2).entries()) {
    const calls = await test.api("GET", "/api/tenant/dashboard/recent-calls", admins[index]?.asking);
    const callIds = calls.json.map(({ id }: { id: string }) => id);
    marks.push([tenant.id, tenant.name, tenant.apiKey, tenant.admin.email, ...tenant.offices.map(({ id }) => id), ...callIds]);
  }
  const leaking: string[] = [];
  for (const { route } of allRoutes().filter(
    ({ route }) => route.method === "GET" && (route.auth === "tenant_admin" || route.auth === "user"),
  ))
    for (const [index, admin] of admins.entries()) {
      const { text } = await test.api("GET", route.path, admin?.asking);
      for (const mark of marks[1 - index] ?? []) if (text.includes(mark)) leaking.push(`${admin?.name} sees ${mark} in ${route.path}`);
    }
  return leaking;
}

/** A page position of one tenant's list is worth nothing to the other, nor is one that was altered. */
async function cursorsTaken(test: TestPlatform, callers: Caller[]): Promise<string[]> {
  const [one, two] = ["one", "two"].map((which) => callers.find(({ name }) => name === `tenant ${which}'s administrator`)?.asking);
  const first = await test.api("GET", "/api/tenant/dashboard/recent-calls?limit=1", one);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1];
  if (!next) return ["tenant one has no second page, so no cursor was tried"];
  const own = await test.api("GET", next, one);
  const others = await test.api("GET", next, two);
  const altered = await test.api("GET", next.replace(/cursor=..../, "cursor=AAAA"), one);
  return [
    ...(own.status === 200 ? [] : ["tenant one's own second page was refused"]),
    ...(others.status === 400 ? [] : [`tenant two's use of tenant one's cursor answered ${others.status}`]),
    ...(altered.status === 400 ? [] : [`an altered cursor answered ${altered.status}`]),
  ];
}

const toolCall = (callId: string, name: string, args: object): object => ({
  message: {
    type: "tool-calls",
    call: { id: callId },
    toolCallList: [{ id: `call_${name}`, type: "function", function: { name, arguments: args } }],
  },
});

/** Knowing a call's id gives the other tenant nothing of it: neither who was verified in it, nor its record. */
async function callsShared(test: TestPlatform, callers: Caller[]): Promise<string[]> {
  const [one, two] = test.demo.tenants;
  const [patient] = test.demo.patients;
  if (!one || !two || !patient) throw new Error("The matrix needs two tenants and a patient");
  const shared: string[] = [];
  const callId = `isolation-${Date.now()}`;
  const claim = { firstName: patient.given, lastName: patient.family, dateOfBirth: patient.birthDate, phoneNumber: patient.phone };
  const verified = await test.api("POST", "/api/vapi/tool-call", {
    key: one.apiKey,
    body: toolCall(callId, "verifyPatientIdentity", claim),
  });
  if (!verified.json.results?.[0]?.result) shared.push(`tenant one's patient was not verified: ${verified.text}`);
  const info = await test.api("POST", "/api/vapi/tool-call", { key: two.apiKey, body: toolCall(callId, "getPatientInfo", {}) });
  if (info.json.results?.[0]?.error === undefined) shared.push("tenant two asked about the patient whom tenant one had verified");

  const call = await runCall({ origin: test.origin, apiKey: one.apiKey, platform: "vapi", scenario: "wrong-person", patient });
  await test.platform.cloud.drained();
  const admin = callers.find(({ name }) => name === "tenant one's administrator")?.asking;
  const before = await test.api("GET", "/api/tenant/dashboard/recent-calls", admin);
  for (const { path, body } of call.exchanges) await test.api("POST", path, { key: two.apiKey, body });
  await test.platform.cloud.drained();
  const after = await test.api("GET", "/api/tenant/dashboard/recent-calls", admin);
  if (after.text !== before.text) shared.push("tenant two's report changed tenant one's calls");
  return shared;
}

/** Everything that one may do and should not, on a platform with its demo data; empty when tenants and roles are kept apart. */
export async function breaches(test: TestPlatform): Promise<string[]> {
  const callers = await callersOf(test);
  return [
    ...(await rolesBroken(test, callers)),
    ...(await answersLeaking(test, callers)),
    ...(await cursorsTaken(test, callers)),
    ...(await callsShared(test, callers)),
  ];
}
