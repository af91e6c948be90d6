import { offices, sessions, tenantDashboard } from "@vitaline/contract";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Answer, openBrowser } from "./browser.fixture.ts";
import { ApiError, explain, requestIdOf, UnreadableAnswer } from "./api-error.ts";
import { abandonRequests, addressOf, call, nextCursor } from "./call.ts";
import { onExpired, readToken, storeToken } from "../session/credentials.ts";
import { onRequiredAction } from "../session/required-actions.ts";

test("the cursor of the next page is read as it was given out", () => {
  expect(nextCursor('</page?limit=2&cursor=abc%2B%2F%3D>; rel="next"')).toBe("abc+/=");
});

test("a list that has no further page has no cursor", () => {
  expect([null, "", '</page?limit=2>; rel="next"', '</page?cursor=x>; rel="prev"'].map(nextCursor)).toEqual([null, null, null, null]);
});

let browser: Awaited<ReturnType<typeof openBrowser>>;
const open = async (answer: Answer) => {
  browser = await openBrowser(() => answer);
  return browser;
};
afterEach(() => browser?.close());

const tenantId = "01hzzzzzzzzzzzzzzzzzzzzzz2";
const office = {
  id: tenantId,
  name: "North",
  address: null,
  phone: null,
  email: null,
  isActive: true,
  staffCount: null,
  businessHours: null,
  staffRouting: [],
  messageTemplates: { appointmentConfirmation: null, appointmentReminder: null, followUp: null },
  spanishMessageTemplates: { appointmentConfirmation: null, appointmentReminder: null, followUp: null },
  language: null,
  facts: {
    ...{ directions: null, parking: null, telehealth: null, afterHours: null },
    ...{ insurance: [], selfPayPrices: [], whatToBring: [], languages: [], holidays: [], questions: [] },
  },
  fhirProviderId: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  version: 1,
};
const problem = { error: "Your session has ended.", code: "session_expired", requestId: "req-1" };
const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a call by a row of the contract", () => {
  test("sends the row's method, filled-in path, query and JSON body, and gives the parsed answer", async () => {
    const { asked } = await open({ status: 201, body: JSON.stringify({ ...office, surplus: true }) });
    expect(await call(offices.createOffice, { params: { tenantId }, body: { name: "North" } })).toEqual(office);
    expect(asked[0]).toMatchObject({ method: "POST", path: `/api/admin/tenants/${tenantId}/offices`, body: '{"name":"North"}' });
    expect(asked[0]?.headers["content-type"]).toBe("application/json");
  });

  test("names the version that the person has seen, where one is given", async () => {
    const { asked } = await open({ status: 200, body: JSON.stringify(office) });
    const request = { params: { tenantId, officeId: tenantId }, body: { name: "North" } };
    await call(offices.updateOffice, request, { ifMatch: 3 });
    await call(offices.updateOffice, request);
    expect(asked.map(({ headers }) => headers["if-match"])).toEqual(['"3"', undefined]);
  });

  test("is given up when its person leaves, and the next one is not", async () => {
    await open({ status: 200, body: JSON.stringify(office) });
    const request = { params: { tenantId, officeId: tenantId }, body: { name: "North" } };
    const given = failure(call(offices.updateOffice, request));
    abandonRequests();
    expect(await given).toMatchObject({ name: "AbortError" });
    expect(await call(offices.updateOffice, request)).toEqual(office);
  });

  test("leaves out query values that are not given", () => {
    expect(addressOf(tenantDashboard.recentCalls, { query: { limit: 5, cursor: undefined } })).toBe(
      "/api/tenant/dashboard/recent-calls?limit=5",
    );
    expect(addressOf(tenantDashboard.tenantMetrics, {})).toBe("/api/tenant/dashboard/metrics");
  });

  test("keeps to the route's path and this origin for every parameter", () => {
    const origin = "https://site.example";
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !["", ".", ".."].includes(text)),
        (text) => {
          const url = new URL(addressOf(offices.createOffice, { params: { tenantId: text } }), origin);
          expect(url.origin).toBe(origin);
          expect(url.pathname.split("/").map(decodeURIComponent)).toEqual(["", "api", "admin", "tenants", text, "offices"]);
          expect(url.search + url.hash).toBe("");
        },
      ),
    );
    for (const nothing of ["", ".", ".."])
      expect(() => addressOf(offices.createOffice, { params: { tenantId: nothing } })).toThrow(TypeError);
  });

  test("shows who is signed in, and the tenant's key where one is stored", async () => {
    const { asked, stored } = await open({ status: 200, body: "[]" });
    await call(tenantDashboard.recentCalls, {});
    expect(asked[0]?.headers).not.toHaveProperty("authorization");
    storeToken("token-one");
    stored.set("tenant_api_key", "key-one");
    await call(tenantDashboard.recentCalls, {});
    expect(asked[1]?.headers).toMatchObject({ authorization: "Bearer token-one", "x-api-key": "key-one" });
  });

  describe("that the document has sent already", () => {
    const calls = "/api/tenant/dashboard/recent-calls";
    const sent = (answer: Promise<object | undefined>) => {
      vi.stubGlobal("firstReads", { token: "token-one", answers: { [calls]: answer }, leaving: new AbortController() });
    };
    const answer = (status: number, text: string, at = performance.now()) =>
      Promise.resolve({ status, statusText: "", link: null, text, at });
    const addresses = ({ asked }: Awaited<ReturnType<typeof open>>) => asked.map(({ method, path }) => `${method} ${path}`);

    test("takes that answer, once", async () => {
      const { asked } = await open({ status: 200, body: "[]" });
      storeToken("token-one");
      sent(answer(503, JSON.stringify(problem)));
      expect(await failure(call(tenantDashboard.recentCalls, {}))).toMatchObject({ status: 503 });
      expect(asked).toEqual([]);
      expect(await call(tenantDashboard.recentCalls, {})).toEqual([]);
      expect(asked).toHaveLength(1);
    });

    test("is sent where no answer came, an old one, or one to another session, and where it is no read", async () => {
      const opened = await open({ status: 200, body: "[]" });
      storeToken("token-one");
      sent(Promise.resolve(undefined));
      await call(tenantDashboard.recentCalls, {});
      sent(answer(500, "", performance.now() - 30_001));
      await call(tenantDashboard.recentCalls, {});
      await failure(call(sessions.logout, {}, { token: "token-one" }));
      storeToken("token-two");
      sent(answer(500, ""));
      await call(tenantDashboard.recentCalls, {});
      expect(globalThis).not.toHaveProperty("firstReads");
      expect(addresses(opened)).toEqual([`GET ${calls}`, `GET ${calls}`, "POST /api/auth/logout", `GET ${calls}`]);
    });

    test("is given up when its person leaves while it runs, and no later one takes its answer", async () => {
      const opened = await open({ status: 200, body: "[]" });
      storeToken("token-one");
      sent(new Promise(() => {}));
      const { leaving } = (globalThis as unknown as { firstReads: { leaving: AbortController } }).firstReads;
      const given = failure(call(tenantDashboard.recentCalls, {}));
      abandonRequests();
      expect(await given).toMatchObject({ name: "AbortError" });
      expect(leaving.signal.aborted).toBe(true);
      await call(tenantDashboard.recentCalls, {});
      expect(addresses(opened)).toEqual([`GET ${calls}`]);
    });
  });

  test("takes an empty answer where the row promises nothing", async () => {
    await open({ status: 204 });
    expect(await call(sessions.logout, {})).toBeUndefined();
  });

  test.each([
    ["not JSON", "<html>"],
    ["another shape", '{"id":1}'],
    ["nothing", ""],
  ])("does not hand on an answer that is %s", async (_name, body) => {
    await open({ status: 200, body });
    expect(await failure(call(sessions.me, {}))).toBeInstanceOf(UnreadableAnswer);
  });
});

describe("a refusal", () => {
  test("keeps status and body in the message, and speaks in the server's words", async () => {
    await open({ status: 503, body: JSON.stringify(problem) });
    const error = await failure(call(sessions.me, {}));
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).message).toBe(`503: ${JSON.stringify(problem)}`);
    expect(explain(error)).toBe("Your session has ended.");
    expect(requestIdOf(error)).toBe("req-1");
  });

  test("falls back to the status text, and never shows a page of markup", async () => {
    await open({ status: 502, body: "" });
    expect(((await failure(call(sessions.me, {}))) as ApiError).message).toBe("502: Bad Gateway");
    browser.close();
    await open({ status: 502, body: "<html><h1>Bad gateway</h1></html>", type: "text/html" });
    expect(explain(await failure(call(sessions.me, {})))).toBe("The server answered with an error (502).");
  });

  test("without any answer says that the server could not be reached", async () => {
    const { hangUp } = await open({ status: 200 });
    await hangUp();
    expect(explain(await failure(call(sessions.me, {})))).toContain("could not be reached");
  });
});

describe("403", () => {
  const refusal = (code: string) => JSON.stringify({ error: "Not now.", code, requestId: "req-1" });
  const toldBy = async (code: string, before?: () => void): Promise<string[]> => {
    browser = await openBrowser(() => ({ status: 403, body: refusal(code), ...(before && { before }) }));
    storeToken("token-one");
    const told: string[] = [];
    const stop = onRequiredAction((duty) => told.push(duty));
    expect(await failure(call(tenantDashboard.recentCalls, {}))).toBeInstanceOf(ApiError);
    stop();
    return told;
  };

  test("for a duty tells the screens which, and keeps the session", async () => {
    expect(await toldBy("password_change_required")).toEqual(["password_change"]);
    expect(readToken()).toBe("token-one");
    browser.close();
    expect(await toldBy("totp_enrolment_required")).toEqual(["totp_enrolment"]);
  });

  test("for another reason, or for a session that is no longer this one, tells nothing", async () => {
    expect(await toldBy("forbidden")).toEqual([]);
    browser.close();
    expect(await toldBy("constructor")).toEqual([]);
    browser.close();
    expect(await toldBy("password_change_required", () => storeToken("token-two"))).toEqual([]);
  });
});

describe("401", () => {
  test("ends the session here and tells the screens", async () => {
    const { stored } = await open({ status: 401, body: JSON.stringify(problem) });
    storeToken("token-one");
    stored.set("tenant_api_key", "key-one");
    let told = 0;
    const stop = onExpired(() => (told += 1));
    await failure(call(tenantDashboard.recentCalls, {}));
    stop();
    expect(told).toBe(1);
    expect([...stored.keys()]).toEqual([]);
  });

  test("is an answer for who asks whether there is a session", async () => {
    await open({ status: 401, body: JSON.stringify(problem) });
    storeToken("token-one");
    expect(await call(sessions.me, {}, { on401: "returnNull" })).toBeNull();
    expect(readToken()).toBeNull();
    browser.close();
    await open({ status: 403, body: JSON.stringify(problem) });
    expect(await failure(call(sessions.me, {}, { on401: "returnNull" }))).toBeInstanceOf(ApiError);
  });

  test("of a sign-in leaves a session alone", async () => {
    await open({ status: 401, body: JSON.stringify(problem) });
    storeToken("token-one");
    await failure(call(sessions.login, { body: { email: "a@b.example", password: "wrong" } }));
    expect(readToken()).toBe("token-one");
  });

  test("for an old token leaves a newer one alone", async () => {
    browser = await openBrowser(() => ({ status: 401, body: JSON.stringify(problem), before: () => storeToken("token-two") }));
    storeToken("token-one");
    await failure(call(sessions.me, {}));
    expect(readToken()).toBe("token-two");
  });
});
