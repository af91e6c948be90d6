import { type Auth, mayCall, type Route, routeKey, type UserAccess } from "@vitaline/contract";
import { newApiKey } from "../../../packages/api-keys/authenticate.ts";
import type { Asking } from "../../kit/api.ts";
import type { TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";

export type Verdict = "an answer" | 401 | 403;
/** A caller, and the expected verdict on any route of the contract. */
export type Caller = { name: string; asking: Asking; may(route: Route, operation: string): Verdict };

/** Voice platforms authenticate by key or signature only; a session does not count on their routes. */
const isPlatforms = ({ auth }: Route): boolean => auth === "key" || auth === "signature";
const by = (allowed: readonly Auth[], refusal: Verdict) => ({
  may: (route: Route): Verdict => (allowed.includes(route.auth) ? "an answer" : isPlatforms(route) ? 401 : refusal),
});
const unauthenticated = by(["public"], 401);
const keyHolder = by(["public", "key"], 401);
/** A valid key of a disabled tenant gets an error that says so. */
const inactiveTenant = { may: (route: Route): Verdict => (route.auth === "key" ? 403 : unauthenticated.may(route)) };
const tenantAdmin = by(["public", "user", "tenant_admin"], 403);
/** The API key is not for them, so their `tenantInfo` is refused unless it is asked for without. */
const narrowed = (access: UserAccess) => ({
  may: (route: Route, operation: string): Verdict =>
    route.auth === "tenant_admin" && (operation === "tenantInfo" || !mayCall(access, routeKey(route))) ? 403 : tenantAdmin.may(route),
});
const systemAdmin = by(["public", "user", "system_admin"], 403);

/** With an assigned password every other route is refused until it is changed. */
const passwordRoutes = ["changePassword", "logout"];
const newcomer = {
  may: (route: Route, operation: string): Verdict =>
    route.auth === "public" || passwordRoutes.includes(operation) ? "an answer" : isPlatforms(route) ? 401 : 403,
};
/** A system administrator who views a tenant reads what its administrator reads, except the API key, and changes nothing. */
const viewingAdmin = {
  may: (route: Route, operation: string): Verdict => {
    const { auth, method } = route;
    if (auth === "public" || operation === "logout") return "an answer";
    if (isPlatforms(route)) return 401;
    // Its answer contains a key that would outlast the view
    if (operation === "tenantInfo" || operation === "snippets") return 403;
    return method === "GET" && (auth === "user" || auth === "tenant_admin") ? "an answer" : 403;
  },
};

export async function callersOf(test: TestPlatform): Promise<Caller[]> {
  const { demo, tokenOf, api, newUser } = test;
  const [one, two] = demo.tenants;
  if (!one || !two) throw new Error("The matrix needs two tenants");
  const admin = { token: await tokenOf(demo.systemAdmin.email, demo.systemAdmin.password) };
  const invited = async (word: string) => {
    const login = { email: `${word}-${Date.now()}@isolation.example`, password: "isolated words apart 7" };
    const body = { ...login, firstName: "Iso", lastName: "Late", role: "tenant_admin", tenantId: one.id };
    const { json, status, text } = await api("POST", "/api/admin/users", { ...admin, body });
    if (status !== 201) throw new Error(`No user was made: ${text}`);
    return { id: json.id as string, token: await tokenOf(login.email, login.password) };
  };
  const gone = await invited("gone");
  await api("POST", `/api/admin/users/${gone.id}/deactivate`, admin);
  const expired = await invited("expired");
  await endByTime(test, expired.id);
  const colleagues = await Promise.all(
    (["staff", "auditor"] as const).flatMap((access) =>
      [one, two].map(async ({ id }, at) => {
        const { email, password } = await newUser(id, { access });
        return {
          name: `${access} of tenant ${at === 0 ? "one" : "two"}`,
          asking: { token: await tokenOf(email, password) },
          ...narrowed(access),
        };
      }),
    ),
  );
  const closed = await keysOfClosed(test, admin);
  const viewAs = await api("POST", `/api/admin/tenants/${one.id}/view-as`, admin);
  return [
    { name: "unauthenticated", asking: {}, ...unauthenticated },
    { name: "a malformed token", asking: { token: "x.y.z" }, ...unauthenticated },
    { name: "an expired session", asking: { token: expired.token }, ...unauthenticated },
    { name: "a deactivated user", asking: { token: gone.token }, ...unauthenticated },
    { name: "a key that was never issued", asking: { key: newApiKey() }, ...unauthenticated },
    { name: "an inactive tenant's key", asking: { key: closed.key }, ...inactiveTenant },
    { name: "an inactive tenant's former key", asking: { key: closed.former }, ...unauthenticated },
    { name: "a key in the session's place", asking: { headers: { "x-api-key": one.apiKey } }, ...keyHolder },
    { name: "tenant one's key", asking: { key: one.apiKey }, ...keyHolder },
    { name: "tenant two's key", asking: { key: two.apiKey }, ...keyHolder },
    { name: "a user with a password to change", asking: { token: (await invited("new")).token }, ...newcomer },
    { name: "tenant one's administrator", asking: { token: await tokenOf(one.admin.email, one.admin.password) }, ...tenantAdmin },
    { name: "tenant two's administrator", asking: { token: await tokenOf(two.admin.email, two.admin.password) }, ...tenantAdmin },
    ...colleagues,
    { name: "a system administrator who views tenant one", asking: { token: viewAs.json.token as string }, ...viewingAdmin },
    { name: "the system administrator", asking: admin, ...systemAdmin },
  ];
}

async function keysOfClosed({ api }: TestPlatform, admin: Asking): Promise<{ key: string; former: string }> {
  const details = { name: `Closed ${Date.now()}`, organizationType: "clinic", contactEmail: "office@closed.example" };
  const made = await api("POST", "/api/admin/tenants", { ...admin, body: details });
  const path = `/api/admin/tenants/${made.json.id}`;
  const { json } = await api("POST", `${path}/regenerate-api-key`, { ...admin, body: {} });
  const { status, text } = await api("PUT", path, { ...admin, body: { ...details, isActive: false } });
  if (status !== 200) throw new Error(`No tenant was switched off: ${text}`);
  return { key: json.apiKey, former: made.json.apiKey };
}

async function endByTime({ dataDir }: TestPlatform, userId: string): Promise<void> {
  const table = openTable(dataDir);
  const sessions = (await table.rows("SESSION#")).filter(({ userId: owner }) => owner === userId);
  if (sessions.length === 0) throw new Error("There is no session to end");
  for (const row of sessions) await table.put({ ...row, lastSeen: new Date(Date.now() - 86_400_000).toISOString() });
  table.close();
}
