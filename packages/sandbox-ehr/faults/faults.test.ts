import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bookingOf, openSession } from "../auth/session.fixture.ts";

describe("faults on demand", () => {
  let session: Awaited<ReturnType<typeof openSession>>;
  beforeAll(async () => void (session = await openSession()));
  afterEach(() => session.fault({ kind: "none" }));
  afterAll(() => session.close());
  const slots = () => session.call("GET", "/Slot?_count=1");

  it("applies as often as requested, then the server recovers", async () => {
    await slots();
    await session.fault({ kind: "503", times: 2, match: { method: "GET", path: "/r4/Slot" } });
    expect([(await slots()).status, (await session.call("GET", "/Patient/patient-1001")).status]).toEqual([503, 200]);
    expect([(await slots()).status, (await slots()).status]).toEqual([503, 200]);
  });

  it("answers 429 with and without Retry-After, HTML, and one 401", async () => {
    await session.fault({ kind: "429", times: 1 });
    expect((await slots()).headers.get("retry-after")).toBe("1");
    await session.fault({ kind: "429-no-retry-after", times: 1 });
    const throttled = await slots();
    expect([throttled.status, throttled.headers.get("retry-after"), throttled.headers.get("ratelimit")]).toEqual([
      429,
      null,
      '"fhir";r=0;t=1',
    ]);
    await session.fault({ kind: "html", times: 1 });
    expect((await slots()).headers.get("content-type")).toBe("text/html");
    await session.fault({ kind: "401-once" });
    expect([(await slots()).status, (await slots()).status]).toEqual([401, 200]);
  });

  it("cuts connections while down", async () => {
    await slots();
    await session.fault({ kind: "down" });
    await expect(slots()).rejects.toThrow();
    expect((await fetch(`${session.sandbox.origin}/faults`)).status).toBe(200);
  });

  it("creates without an answer", async () => {
    const slot = await session.freeSlot();
    await session.fault({ kind: "empty-201" });
    const { status, body, headers } = await session.call("POST", "/Appointment", bookingOf(slot.id));
    expect([status, body]).toEqual([201, ""]);
    expect(headers.get("location")).toContain("/Appointment/");
  });

  it("lets another user take the slot meanwhile", async () => {
    const slot = await session.freeSlot();
    await session.fault({ kind: "slot-taken" });
    expect((await session.call("POST", "/Appointment", bookingOf(slot.id))).status).toBe(409);
    expect((await session.call("GET", `/Slot/${slot.id}`)).body.status).toBe("busy");
  });

  it("leaves a booked slot free for the next caller", async () => {
    const slot = await session.freeSlot();
    await session.fault({ kind: "slot-not-flipped" });
    const book = async () => (await session.call("POST", "/Appointment", bookingOf(slot.id))).status;
    expect([await book(), (await session.call("GET", `/Slot/${slot.id}`)).body.status, await book()]).toEqual([201, "free", 201]);
  });

  it("does the work and never answers when it hangs", async () => {
    const slot = await session.freeSlot();
    await session.fault({ kind: "hang", times: 1 });
    const never = session.call("POST", "/Appointment", bookingOf(slot.id)).catch(() => "cut");
    await expect.poll(async () => (await session.call("GET", `/Slot/${slot.id}`)).body.status).toBe("busy");
    await session.sandbox.close();
    expect(await never).toBe("cut");
    session = await openSession();
  });

  it("lists each kind with its meaning", async () => {
    const { kinds, meanings } = (await (await fetch(`${session.sandbox.origin}/faults`)).json()) as { kinds: string[]; meanings: object };
    expect(Object.keys(meanings)).toEqual(kinds);
  });

  it("does a write and cuts the connection before its answer", async () => {
    const slot = await session.freeSlot();
    await session.fault({ kind: "lost-write", times: 1 });
    await expect(session.call("POST", "/Appointment", bookingOf(slot.id))).rejects.toThrow();
    expect((await session.call("GET", `/Slot/${slot.id}`)).body.status).toBe("busy");
  });

  it("makes one update conflict with another version", async () => {
    const { body, headers } = await session.call("GET", "/Patient/patient-1001");
    const update = async () => (await session.call("PUT", "/Patient/patient-1001", body, { "If-Match": headers.get("etag")! })).status;
    await session.fault({ kind: "stale" });
    expect([await update(), await update()]).toEqual([412, 200]);
  });

  it("runs a failing transaction as a batch", async () => {
    const patient = (family: object) => ({
      resource: { resourceType: "Patient", ...family },
      request: { method: "POST", url: "Patient" },
    });
    const bundle = { resourceType: "Bundle", type: "transaction", entry: [patient({ name: [{ family: "Halfdone" }] }), patient({})] };
    expect((await session.call("POST", "", bundle)).status).toBeGreaterThanOrEqual(400);
    await session.fault({ kind: "partial-transaction", times: 1 });
    const { status, body } = await session.call("POST", "", bundle);
    expect([status, body.type]).toEqual([200, "transaction-response"]);
    expect(body.entry.map(({ response }: { response: { status: string } }) => response.status.slice(0, 1))).toEqual(["2", "4"]);
    expect((await session.call("GET", "/Patient?family=Halfdone")).body.total).toBe(1);
  });

  it("corrupts answers: huge, deep, wrong type or charset, misleading or cyclic links", async () => {
    const { access_token } = (await session.askToken()).body;
    const struck = async (kind: string) => {
      await session.fault({ kind, times: 1, match: { path: "/r4/" } });
      const response = await fetch(`${session.sandbox.r4.baseUrl}/Slot?_count=1`, { headers: { Authorization: `Bearer ${access_token}` } });
      return { type: response.headers.get("content-type"), text: await response.text() };
    };
    expect((await struck("wrong-type")).type).toBe("text/plain");
    const utf16 = await struck("wrong-charset");
    expect([utf16.type, utf16.text.slice(0, 4)]).toEqual(["application/fhir+json; charset=utf-16", '{\0"\0']);
    expect((await struck("deep")).text).toHaveLength(20_000);
    expect((await struck("huge")).text.length).toBeGreaterThan(50_000_000);
    const next = async (kind: string) =>
      JSON.parse((await struck(kind)).text).link.find(({ relation }: { relation: string }) => relation === "next").url;
    expect(await next("foreign-next")).toContain("elsewhere.example");
    expect(await next("endless-next")).toBe(`${session.sandbox.r4.baseUrl}/Slot?_count=1`);
    const { entry } = JSON.parse((await struck("cyclic")).text);
    expect(entry[0].resource.contained[0].subject.reference).toBe("#circle");
  });

  it("grants fewer scopes and reads a clock that is ahead", async () => {
    await session.fault({ kind: "fewer-scopes", times: 1 });
    expect((await session.askToken({ scope: "system/Patient.rs system/Slot.rs" })).body.scope).toBe("system/Patient.rs");
    await session.fault({ kind: "clock-skew", times: 1 });
    expect((await session.askToken()).body).toMatchObject({
      error: "invalid_client",
      error_description: expect.stringContaining("expired"),
    });
  });

  it("applies to servers by their addresses", async () => {
    const readonly = session.at(session.sandbox.servers.readonly.DSTU2);
    await readonly("GET", "/metadata");
    await session.fault({ kind: "503", match: { path: "/readonly/dstu2/" } });
    expect([(await readonly("GET", "/Patient?_count=1")).status, (await slots()).status]).toEqual([503, 200]);
  });

  it("lists the kinds for an invalid fault", async () => {
    const response = await session.fault({ kind: "earthquake" });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("slot-taken")]);
  });
});
