import { allRoutes, type Route } from "@vitaline/contract";
import * as z from "zod/mini";
import { runCall } from "../../call/run-call.ts";
import type { Caller } from "./callers.ts";
import type { TestPlatform } from "../../kit/platform.ts";

export async function findLeakingAnswers(test: TestPlatform, callers: Caller[]): Promise<string[]> {
  const admins = ["tenant one's administrator", "tenant two's administrator"].map((name) => callers.find((caller) => caller.name === name));
  const marks: string[][] = [];
  for (const [index, tenant] of test.demo.tenants.slice(0, 2).entries()) {
    const calls = await test.api("GET", "/api/tenant/dashboard/recent-calls", admins[index]?.asking);
    // A mutant may answer an error
    const callIds = calls.status === 200 ? calls.json.map(({ id }: { id: string }) => id) : [];
    marks.push([tenant.id, tenant.name, tenant.apiKey, tenant.admin.email, ...tenant.offices.map(({ id }) => id), ...callIds]);
  }
  const leaking: string[] = [];
  for (const { route } of allRoutes().filter(
    ({ route }) => route.method === "GET" && !route.path.includes("{") && (route.auth === "tenant_admin" || route.auth === "user"),
  ))
    for (const [index, admin] of admins.entries()) {
      const { text } = await test.api("GET", route.path, admin?.asking);
      for (const mark of marks[1 - index] ?? []) if (text.includes(mark)) leaking.push(`${admin?.name} sees ${mark} in ${route.path}`);
    }
  return leaking;
}

const listsOf = (auth: Route["auth"]): string[] =>
  allRoutes().flatMap(({ route }) =>
    route.method === "GET" && route.auth === auth && !route.path.includes("{") && "cursor" in propertiesOf(route) ? [route.path] : [],
  );
const propertiesOf = ({ query }: Route): object =>
  query ? ((z.toJSONSchema(query, { io: "input", unrepresentable: "any" }) as { properties?: object }).properties ?? {}) : {};
const cursorIn = ({ headers }: { headers: Headers }): string | undefined => {
  const next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  return next === undefined ? undefined : (new URL(next, "http://here").searchParams.get("cursor") ?? undefined);
};

/** Cursors of another tenant, altered cursors and cursors of another list are refused without a 5xx. */
export async function findAcceptedCursors(test: TestPlatform, callers: Caller[]): Promise<string[]> {
  const [one, two] = ["one", "two"].map((which) => callers.find(({ name }) => name === `tenant ${which}'s administrator`)?.asking);
  const taken: string[] = [];
  const lists = listsOf("tenant_admin");
  const cursors: string[] = [];
  for (const list of lists) {
    const cursor = cursorIn(await test.api("GET", `${list}?limit=1`, one));
    if (cursor === undefined) continue;
    cursors.push(cursor);
    const ask = async (position: string, asking = one) =>
      (await test.api("GET", `${list}?limit=1&cursor=${encodeURIComponent(position)}`, asking)).status;
    const altered = `${cursor[0] === "A" ? "B" : "A"}${cursor.slice(1)}`;
    const answers = [await ask(cursor), await ask(cursor, two), await ask(altered)];
    if (answers.join() !== "200,400,400")
      taken.push(`${list}: own, foreign and altered page positions answered ${answers.join(", ")}, not 200, 400, 400`);
  }
  for (const list of lists)
    for (const cursor of cursors)
      for (const asking of [one, two]) {
        const { status } = await test.api("GET", `${list}?limit=1&cursor=${encodeURIComponent(cursor)}`, asking);
        if (status >= 500) taken.push(`${list} answered ${status} to the page position of another list`);
      }
  return cursors.length < 3 ? [...taken, "hardly any list had a second page, so no page position was tried"] : taken;
}

const toolCall = (callId: string, name: string, args: object): object => ({
  message: {
    type: "tool-calls",
    call: { id: callId },
    toolCallList: [{ id: `call_${name}`, type: "function", function: { name, arguments: args } }],
  },
});

export async function findSharedCalls(test: TestPlatform, callers: Caller[]): Promise<string[]> {
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
