import { AppError } from "@vitaline/core";
import { keys, remove } from "@vitaline/store";
import type { FhirResource } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { recoverWrite, runTool, type ToolContext } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { outputOf, startTools, type Booked, type Tools } from "../test/tools.fixture.ts";

const tool = "scheduleAppointment";
let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());
afterEach(async () => void (await t.heal()));

type Server = Parameters<Tools["connect"]>[1];
type Caller = Awaited<ReturnType<Tools["verified"]>>;

function onServer(server: Server) {
  beforeAll(async () => void (await Promise.all([t.connect(0, server), t.connect(1, server)])));
  const find = async (caller: Caller, wish: object) => outputOf(await caller.use(tool, { action: "find", ...wish })).slots;
  const busyOf = async (caller: Caller) =>
    ((await caller.use(tool, { action: "list" })).output as Partial<Booked> | undefined)?.appointments?.map(({ start }) =>
      Date.parse(start),
    ) ?? [];
  const open = async (caller: Caller, wish: object = {}, fewest = 2, ...others: Caller[]) => {
    let slots = await find(caller, wish);
    const busy = (await Promise.all([caller, ...others].map(busyOf))).flat();
    const isFree = ({ start }: { start: string }) => busy.every((time) => Math.abs(time - Date.parse(start)) >= 3_600_000);
    for (let days = 1; slots.filter(isFree).length < fewest && days < 20; days++)
      slots = await find(caller, { ...wish, date: new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10) });
    const free = slots.filter(isFree);
    await t.unlock(0, free);
    return free;
  };
  const race = async () => {
    const callers = await Promise.all([0, 1, 2].map((index) => t.verified(0, index)));
    const [slot] = await open(callers[0]!, {}, 2, ...callers);
    return Promise.all(callers.map((caller) => caller.use(tool, { slotId: slot?.slotId, start: slot?.start })));
  };
  /** The same EHR, but the answer to the first booking write is lost. */
  const losing = (more: Parameters<Tools["context"]>[1] = {}): ToolContext => {
    const ctx = t.context(0, more);
    let left = 1;
    const lose = async <T>(work: () => Promise<T>): Promise<T> => {
      const made = await work();
      if (left-- > 0) throw new AppError("ehr_unknown_outcome", "injected");
      return made;
    };
    return {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        const operation = <T extends FhirResource>(...args: Parameters<typeof ehr.schedulingClient.operation<T>>) =>
          args[3]?.effect === "write" ? lose(() => ehr.schedulingClient.operation<T>(...args)) : ehr.schedulingClient.operation<T>(...args);
        return {
          ...ehr,
          create: (...args) => lose(() => ehr.create(...args)),
          schedulingClient: { ...ehr.schedulingClient, operation },
        };
      },
    };
  };
  return { find, open, race, losing };
}
const result = (name: string) => ({ ok: true, output: { result: name } });
const unsupported = { ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported };

function booksOnce({ open, race, losing }: ReturnType<typeof onServer>, made: "booked" | "requested") {
  it("offers times and makes one appointment of the one that is chosen, which is listed then", async () => {
    const caller = await t.verified(0, 3);
    const [slot] = await open(caller);
    expect(slot).toMatchObject({ slotId: expect.any(String), start: expect.any(String) });
    const answer = await caller.use(tool, { slotId: slot!.slotId });
    expect(answer).toMatchObject({ ...result(made), output: { appointment: { start: slot!.start } } });
    const listed = outputOf(await caller.use(tool, { action: "list" })).appointments;
    expect(listed.filter(({ appointmentId }) => appointmentId === outputOf(answer).appointment.appointmentId)).toHaveLength(1);
  });

  it("understands a time that is said, and keeps to the practitioner", async () => {
    const caller = await t.verified(0, 4);
    const [slot] = await open(caller, { practitioner: "Larkmere" });
    expect(slot).toMatchObject({ practitioner: expect.stringContaining("Larkmere") as string });
    expect(await caller.use(tool, { action: "book", start: slot!.start, practitioner: "Larkmere" })).toMatchObject({
      ...result(made),
      output: { appointment: { start: slot!.start } },
    });
  });

  it("ends in one appointment when three callers race for a time", async () => {
    const answers = await race();
    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, false, true]);
    for (const answer of answers.filter(({ ok }) => !ok)) expect(answer).toMatchObject({ code: "slot_taken", output: { result: "taken" } });
  });

  it("finds the appointment whose answer was lost, and makes no second one", async () => {
    const caller = await t.verified(0, 5);
    const before = outputOf(await caller.use(tool, { action: "list" })).appointments;
    const [slot] = await open(caller);
    const call = caller.call(tool, { action: "book", slotId: slot!.slotId });
    const answer = await runTool(losing(), call);
    expect(answer).toMatchObject({ ...result(made), output: { appointment: { start: slot!.start } } });
    expect(await runTool(t.context(0), call)).toEqual(answer);
    expect(outputOf(await caller.use(tool, { action: "list" })).appointments).toHaveLength(before.length + 1);
  });

  it("finds it later, too, when it cannot be looked for at once: when the call repeats it, or by the retry job", async () => {
    for (const later of ["repetition", "retry job"] as const) {
      const caller = await t.verified(0, later === "repetition" ? 1 : 2);
      const before = outputOf(await caller.use(tool, { action: "list" })).appointments;
      const [slot] = await open(caller);
      const call = caller.call(tool, { action: "book", slotId: slot!.slotId });
      const blind = losing();
      let searches = 0;
      const blinded: ToolContext = {
        ...blind,
        openEhr: async (tenant, options) => {
          const ehr = await blind.openEhr(tenant, options);
          const search: typeof ehr.search = async (...args) => {
            if (args[0] === "Appointment" && !("slot" in args[1] || "actor" in args[1]) && searches++ > 0)
              throw new AppError("ehr_unavailable", "injected");
            return ehr.search(...args);
          };
          return { ...ehr, search };
        },
      };
      expect(await runTool(blinded, call), later).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
      if (later === "retry job") expect(await recoverWrite(t.context(0), await t.requestKey(0, call))).toBe("done");
      expect(await runTool(t.context(0), call), later).toMatchObject({ ...result(made), output: { appointment: { start: slot!.start } } });
      expect(outputOf(await caller.use(tool, { action: "list" })).appointments).toHaveLength(before.length + 1);
    }
  });

  it("makes no second appointment of a time that the patient has already, and says so", async () => {
    const caller = await t.verified(0, 0);
    const [slot] = await open(caller);
    await caller.use(tool, { slotId: slot!.slotId });
    const { appointments } = outputOf(await caller.use(tool, { action: "list" }));
    const again = await caller.use(tool, { slotId: slot!.slotId });
    expect(again).toMatchObject({ ok: false, code: "duplicate" });
    expect(outputOf(await caller.use(tool, { action: "list" })).appointments).toEqual(appointments);
  });

  it("gives another tenant's patient nothing of it", async () => {
    const caller = await t.verified(0, 3);
    const [slot] = await open(caller);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: slot!.slotId })).appointment;
    const stranger = await t.verified(1, 4);
    expect(await stranger.use(tool, { action: "cancel", appointmentId })).toMatchObject({ ok: false });
    expect(outputOf(await caller.use(tool, { action: "list" })).appointments.map((one) => one.appointmentId)).toContain(appointmentId);
  });

  it("makes three appointments in a call and no more, also for a patient who had one before", async () => {
    const earlier = await t.verified(0, 5);
    for (const { appointmentId } of outputOf(await earlier.use(tool, { action: "list" })).appointments)
      await earlier.use(tool, { action: "cancel", appointmentId });
    const caller = await t.verified(0, 5);
    const results: string[] = [];
    for (const by of [earlier, caller, caller, caller, caller]) {
      const [slot] = await open(by);
      results.push(outputOf(await by.use(tool, { slotId: slot!.slotId })).result);
    }
    expect(results).toEqual([made, made, made, made, "enough"]);
  });

  it("makes three appointments for each patient of a call", async () => {
    const caller = await t.verified(0, 3);
    for (const index of [3, 4]) {
      expect(await caller.use("verifyPatientIdentity", t.claimOf(index))).toMatchObject({ ok: true });
      for (const { appointmentId } of outputOf(await caller.use(tool, { action: "list" })).appointments)
        await caller.use(tool, { action: "cancel", appointmentId });
      const results: string[] = [];
      for (let nth = 0; nth < 4; nth++) {
        const [slot] = await open(caller);
        results.push(outputOf(await caller.use(tool, { slotId: slot!.slotId })).result);
      }
      expect(results, t.patients[index]!.given).toEqual([made, made, made, "enough"]);
    }
  });
}

function changes({ open }: ReturnType<typeof onServer>) {
  it("gives an appointment up, whose time is free again", async () => {
    const [caller, other] = [await t.verified(0, 3), await t.verified(0, 4)];
    const [slot] = await open(caller, { practitioner: "Thornwick" }, 2, other);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: slot!.slotId })).appointment;
    expect(await caller.use(tool, { action: "cancel", appointmentId })).toMatchObject(result("cancelled"));
    expect(outputOf(await caller.use(tool, { action: "list" })).appointments.map((one) => one.appointmentId)).not.toContain(appointmentId);
    expect(await other.use(tool, { slotId: slot!.slotId })).toMatchObject({ ok: true });
    expect(await caller.use(tool, { action: "cancel", appointmentId })).toMatchObject({ ok: true });
  });

  it("finds a cancellation done whose answer was lost", async () => {
    const caller = await t.verified(0, 4);
    const [slot] = await open(caller, { practitioner: "Elmwick" });
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: slot!.slotId })).appointment;
    const ctx = t.context(0);
    const losing: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        const change: typeof ehr.change = async (...args) => {
          await ehr.change(...args);
          throw new AppError("ehr_unknown_outcome", "injected");
        };
        return { ...ehr, change };
      },
    };
    expect(await runTool(losing, caller.call(tool, { action: "cancel", appointmentId }))).toMatchObject(result("cancelled"));
  });
}

function moves({ open }: ReturnType<typeof onServer>) {
  it("moves an appointment, also when the answer to giving up the old one was lost", async () => {
    for (const isLost of [false, true]) {
      const caller = await t.verified(0, 5);
      const [from, to] = await open(caller, { practitioner: isLost ? "Hazelcombe" : "Cedarmere" });
      const { appointmentId } = outputOf(await caller.use(tool, { slotId: from!.slotId })).appointment;
      const call = caller.call(tool, { action: "reschedule", appointmentId, slotId: to!.slotId });
      const ctx = t.context(0);
      const blind: ToolContext = {
        ...ctx,
        openEhr: async (tenant, options) => {
          const ehr = await ctx.openEhr(tenant, options);
          let sent = false;
          const change: typeof ehr.change = async (...args) => {
            await ehr.change(...args);
            sent = true;
            throw new AppError("ehr_unknown_outcome", "injected");
          };
          const read: typeof ehr.read = async (...args) => {
            if (sent) throw new AppError("ehr_unavailable", "injected");
            return ehr.read(...args);
          };
          return { ...ehr, change, read };
        },
      };
      if (isLost) expect(await runTool(blind, call)).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
      expect(await runTool(ctx, call)).toMatchObject({
        ...result("rescheduled"),
        output: { appointment: { start: to!.start }, replaced: { start: from!.start } },
      });
      const starts = outputOf(await caller.use(tool, { action: "list" })).appointments.map(({ start }) => Date.parse(start));
      expect(starts.filter((start) => start === Date.parse(to!.start))).toHaveLength(1);
      expect(starts).not.toContain(Date.parse(from!.start));
      for (const { appointmentId: id } of outputOf(await caller.use(tool, { action: "list" })).appointments)
        await caller.use(tool, { action: "cancel", appointmentId: id });
    }
  });
}

describe.each(["R4", "STU3", "DSTU2"] as const)("a plain server of %s", (version) => {
  const server = onServer({ personality: "plain", version });
  booksOnce(server, "booked");
  changes(server);
  moves(server);

  it("gives a time to one caller alone, also when it never makes a slot busy and the lock is long gone", async () => {
    const [first, second, third] = [await t.verified(0, 1), await t.verified(0, 2), await t.verified(0, 3)];
    const [slot] = await server.open(first, { practitioner: "Thornwick" }, 2, second, third);
    await t.fault(0, { kind: "slot-not-flipped" });
    const booked = await first.use(tool, { slotId: slot!.slotId });
    expect(booked).toMatchObject(result("booked"));
    expect((await t.slot(0, slot!.slotId)).status).toBe("free");
    const late = await second.use(tool, { slotId: slot!.slotId }, { laterMs: 121_000 });
    expect(late).toMatchObject({ ok: false, code: "slot_taken", output: { result: "taken" } });
    await first.use(tool, { action: "cancel", appointmentId: outputOf(booked).appointment.appointmentId });
    await t.heal();
    expect(await third.use(tool, { slotId: slot!.slotId }, { laterMs: 242_000 })).toMatchObject(result("booked"));
  });

  it("is asked exactly what the tool says, for every action", async () => {
    const caller = await t.verified(0, 2);
    const [one, two, three] = await server.open(caller, { practitioner: "Kelcombe" }, 3);
    const ask = async (args: { action: string; [field: string]: unknown }, by = caller) => {
      const { answer, requests } = await t.ehrRequests(() => by.use(tool, args));
      expect([args.action, answer.ok, requests]).toEqual([args.action, true, t.declaredRequests(tool, args)]);
      return outputOf(answer);
    };
    await ask({ action: "find" });
    await ask({ action: "find", practitioner: "Larkmere" });
    for (const { appointmentId } of (await ask({ action: "list" })).appointments) await ask({ action: "cancel", appointmentId });
    const first = (await ask({ action: "book", slotId: one!.slotId })).appointment;
    const second = (await ask({ action: "reschedule", appointmentId: first.appointmentId, slotId: two!.slotId })).appointment;
    await ask({ action: "cancel", appointmentId: second.appointmentId });
    const withoutOffers = await t.verified(0, 2);
    await ask({ action: "book", start: three!.start, practitioner: "Kelcombe" }, withoutOffers);
    await ask({ action: "cancel", date: three!.start.slice(0, 10) }, withoutOffers);
  });
});

describe("a server that books by slot under strict rules, and takes patches", () => {
  const server = onServer({ personality: "cerner-like", version: "R4" });
  booksOnce(server, "booked");
  changes(server);
  moves(server);
});

describe("a server that takes proposals only", () => {
  const server = onServer({ personality: "cerner-like", version: "DSTU2" });
  booksOnce(server, "requested");
  changes(server);

  it("says that the clinic will confirm, counts no booking, and leaves a booked time alone until then", async () => {
    const caller = await t.verified(0, 2);
    const [one, two] = await server.open(caller, { practitioner: "Dunstead" });
    const asked = await caller.use(tool, { slotId: one!.slotId });
    expect(asked.speech).toMatch(/^I've asked for .+; the clinic will confirm it\.$/);
    expect((await t.audits(0, caller.callKey)).filter(({ detail }) => detail?.["booked"])).toEqual([]);
    const { appointmentId } = outputOf(asked).appointment;
    const moved = await caller.use(tool, { action: "reschedule", appointmentId, slotId: two!.slotId });
    expect(moved).toMatchObject({ ok: true, output: { result: "rescheduled", replaced: { appointmentId } } });
    const ctx = t.context(0);
    const granting: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        const read = async <T extends FhirResource>(...args: Parameters<typeof ehr.read<T>>) => {
          const one = await ehr.read<T>(...args);
          return one.resourceType === "Appointment" ? { ...one, status: "booked" as const } : one;
        };
        return { ...ehr, read: read as typeof ehr.read };
      },
    };
    const current = outputOf(moved).appointment.appointmentId;
    const isConfirmed = async () => (await t.audits(0, caller.callKey)).map(({ detail }) => detail?.["confirmed"]).filter(Boolean);
    expect(await isConfirmed()).toEqual([]);
    const [next] = await server.open(caller, { practitioner: "Larkmere" });
    const kept = await runTool(granting, caller.call(tool, { action: "reschedule", appointmentId: current, slotId: next!.slotId }));
    expect(kept).toMatchObject({ ok: true, output: { result: "requested", stays: { appointmentId: current } } });
    expect(kept.speech).toMatch(/the clinic will confirm it\. Until then your appointment .+ stands\.$/);
    expect(outputOf(await caller.use(tool, { action: "list" })).appointments.map((visit) => visit.appointmentId)).toContain(current);
    expect(await caller.use(tool, { action: "cancel", appointmentId: current })).toMatchObject({ ok: true });
    expect(await isConfirmed()).toEqual([]);
  });
});

describe("a server that proposes appointments and books them", () => {
  const server = onServer({ personality: "epic-like", version: "R4" });
  booksOnce(server, "booked");

  it("is asked for times of a verified patient alone", async () => {
    expect(await t.phone(0).use(tool)).toEqual({ ok: false, code: "identity_required", speech: sentences.identity_required });
  });

  it("is asked by find and book, and for what the patient has", async () => {
    const caller = await t.verified(0, 2);
    const found = await t.ehrRequests(() => caller.use(tool, { action: "find" }));
    expect(new Set(found.requests)).toEqual(new Set(["find Appointment", "search Appointment"]));
    const [slot] = await server.open(caller);
    const booked = await t.ehrRequests(() => caller.use(tool, { slotId: slot!.slotId }));
    expect(booked.requests).toEqual(["book Appointment", "read Patient", "search Appointment"]);
  });

  it("makes no appointment into which the patient's next visit falls", async () => {
    const caller = await t.verified(0, 2);
    const [slot] = await server.open(caller);
    const { sandbox } = t.platform.clinics[0];
    type Resource = Parameters<typeof sandbox.put>[0];
    const put = (status: "booked" | "cancelled") =>
      sandbox.put({
        resourceType: "Appointment",
        id: "next-visit",
        status,
        start: new Date(Date.parse(slot!.start) + 600_000).toISOString(),
        end: new Date(Date.parse(slot!.start) + 3_000_000).toISOString(),
        participant: [{ actor: { reference: `Patient/${caller.patientId}` }, status: "accepted" }],
      } as Resource);
    await put("booked");
    const booked = await caller.use(tool, { slotId: slot!.slotId });
    await put("cancelled");
    expect(booked).toMatchObject({ ok: false, code: "duplicate", output: { result: "already", overlaps: true } });
  });

  describe("books by an id of a time only where the time is known", () => {
    /** As after offers that could not be stored. */
    const withoutOffers = async (caller: Caller) => t.context(0).store.writeUnaudited(remove(keys.callOffers(caller.callKey)));
    const bookedTimes = async (caller: Caller) =>
      outputOf(await caller.use(tool, { action: "list" })).appointments.map(({ start }) => Date.parse(start));

    it("and is the one that was said with it", async () => {
      const caller = await t.verified(0, 1);
      const [slot] = await server.open(caller);
      await withoutOffers(caller);
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { slotId: slot!.slotId, start: slot!.start }));
      expect(answer).toMatchObject({ ...result("booked"), output: { appointment: { start: slot!.start } } });
      expect(new Set(requests)).toEqual(new Set(["book Appointment", "find Appointment", "read Patient", "search Appointment"]));
    });

    it("and else offers times near the one that was said", async () => {
      const caller = await t.verified(0, 1);
      const [slot, other] = await server.open(caller);
      await withoutOffers(caller);
      const before = await bookedTimes(caller);
      const answer = await caller.use(tool, { slotId: slot!.slotId, start: other!.start });
      expect(answer).toMatchObject({ ok: false, code: "slot_taken", output: { result: "taken" } });
      expect(outputOf(answer).slots.map(({ start }) => start)).toContain(other!.start);
      expect(await bookedTimes(caller)).toEqual(before);
    });

    it.each([{}, { date: "tomorrow" }, { timeOfDay: "morning" }])("and else asks for it (%o)", async (said) => {
      const caller = await t.verified(0, 1);
      const [slot] = await server.open(caller);
      await withoutOffers(caller);
      const before = await bookedTimes(caller);
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { slotId: slot!.slotId, ...said }));
      expect(answer).toMatchObject({ ok: false, code: "invalid_arguments", output: { result: "ask" } });
      expect(requests).not.toContain("book Appointment");
      expect(await bookedTimes(caller)).toEqual(before);
    });
  });

  it("changes no appointment: nothing is asked of it and nothing sent", async () => {
    const caller = await t.verified(0, 2);
    const [one, two] = await server.open(caller);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: one!.slotId })).appointment;
    for (const args of [
      { action: "cancel", appointmentId },
      { action: "reschedule", appointmentId, slotId: two!.slotId },
    ])
      expect(await t.ehrRequests(() => caller.use(tool, args)), args.action).toEqual({ answer: unsupported, requests: [] });
  });
});

describe("a server that supports only proposing and booking", () => {
  const server = onServer({ personality: "epic-like", version: "STU3" });

  it("books, once of three, and lists and changes nothing", async () => {
    expect((await server.race()).map(({ ok }) => ok).toSorted()).toEqual([false, false, true]);
    const caller = await t.verified(0, 3);
    for (const args of [{ action: "list" }, { action: "cancel" }, { action: "reschedule", slotId: "x" }])
      expect(await caller.use(tool, args), args.action).toEqual(unsupported);
  });

  it("makes three appointments for each patient of a call, though it cannot tell which a patient has", async () => {
    const caller = await t.verified(0, 3);
    for (const index of [3, 4]) {
      expect(await caller.use("verifyPatientIdentity", t.claimOf(index))).toMatchObject({ ok: true });
      const results: string[] = [];
      for (let nth = 0; nth < 4; nth++) {
        const [slot] = await server.open(caller);
        results.push(outputOf(await caller.use(tool, { slotId: slot!.slotId })).result);
      }
      expect(results).toEqual(["booked", "booked", "booked", "enough"]);
    }
  });

  it("leaves an outcome unknown when the answer was lost, and books no second time", async () => {
    const caller = await t.verified(0, 4);
    const [slot] = await server.open(caller);
    const call = caller.call(tool, { action: "book", slotId: slot!.slotId });
    const unknown = { ok: false, code: "ehr_unknown_outcome", speech: sentences.ehr_unknown_outcome };
    expect(await runTool(server.losing(), call)).toEqual(unknown);
    const { answer, requests } = await t.ehrRequests(() => runTool(t.context(0), call));
    expect([answer, requests.includes("book Appointment")]).toEqual([unknown, false]);
  });
});

describe.each([
  { personality: "readonly", version: "R4" },
  { personality: "readonly", version: "STU3" },
  { personality: "readonly", version: "DSTU2" },
  { personality: "epic-like", version: "DSTU2" },
] as const)("a server without appointments ($personality, $version)", (place) => {
  onServer(place);

  it("does none of it, and is asked for nothing", async () => {
    const caller = await t.verified(0, 0);
    for (const args of [
      { action: "find" },
      { action: "list" },
      { action: "book", slotId: "slot-1" },
      { action: "book", start: "2027-03-04T10:00" },
      { action: "cancel" },
      { action: "cancel", appointmentId: "a1" },
      { action: "reschedule", slotId: "slot-1" },
    ])
      expect(await t.ehrRequests(() => caller.use(tool, args)), JSON.stringify(args)).toEqual({ answer: unsupported, requests: [] });
  });
});
