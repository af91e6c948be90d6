import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bookingOf, openSession } from "./session.fixture.ts";

describe("faults on demand", () => {
  let session: Awaited<ReturnType<typeof openSession>>;
  beforeAll(async () => void (session = await openSession()));
  afterEach(() => session.fault({ kind: "none" }));
  afterAll(() => session.close());
  const slots = () => session.call("GET", "/Slot?_count=1");

  it("strikes as often as asked, then the server is well again", async () => {
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

  it("creates without telling what it created", async () => {
    const slot = await session.freeSlot();
    await session.fault({ kind: "empty-201" });
    const { status, body, headers } = await session.call("POST", "/Appointment", bookingOf(slot.id));
    expect([status, body]).toEqual([201, ""]);
    expect(headers.get("location")).toContain("/Appointment/");
  });

  it("lets somebody else take the slot meanwhile", async () => {
    const slot = await session.freeSlot();
    await session.fault({ kind: "slot-taken" });
    expect((await session.call("POST", "/Appointment", bookingOf(slot.id))).status).toBe(409);
    expect((await session.call("GET", `/Slot/${slot.id}`)).body.status).toBe("busy");
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

  it("names the kinds when a fault makes no sense", async () => {
    const response = await session.fault({ kind: "earthquake" });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("slot-taken")]);
  });
});
