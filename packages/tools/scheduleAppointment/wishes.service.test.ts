import type { Appointment, Patient, Practitioner } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { keys, type TenantRow, update } from "@vitaline/store";
import type { ToolAnswer } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import type { OpenSlot } from "../scheduling/slot-source.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

/** What callers ask for beside a name: a woman, the usual doctor, a place, a need. */
let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const tool = "scheduleAppointment";
const women = ["Dr. Amara Larkmere", "Dr. Celia Thornwick", "Dr. Esther Marlstead", "Dr. Gloria Hazelcombe"];
type Caller = ReturnType<Tools["phone"]>;
const slotsOf = ({ output }: ToolAnswer): OpenSlot[] => (output as { slots: OpenSlot[] }).slots;
const find = async (caller: Caller, wish: object): Promise<OpenSlot[]> => slotsOf(await caller.use(tool, { action: "find", ...wish }));
const doctorsOf = (slots: { practitioner?: string }[]): string[] => [...new Set(slots.map(({ practitioner = "" }) => practitioner))];

type Resource = Parameters<Tools["platform"]["clinics"][0]["sandbox"]["put"]>[0];
const put = (which: 0 | 1, resource: Patient | Appointment | Practitioner): Promise<void> =>
  t.platform.clinics[which].sandbox.put(resource as Resource);

let people = 0;
async function verified(more: Partial<Patient> = {}): Promise<Caller & { id: string }> {
  const nth = ++people;
  const letters = "abcdefghij"[nth]!.repeat(3);
  const [given, family, birthDate, phoneNumber] = [
    `Wilma${letters}`,
    `Wishing${letters}`,
    "1981-02-03",
    `+161755700${String(nth).padStart(2, "0")}`,
  ];
  const id = `wishing-${nth}`;
  await put(0, {
    resourceType: "Patient",
    id,
    name: [{ family, given: [given] }],
    birthDate,
    telecom: [{ system: "phone", value: phoneNumber }],
    ...more,
  });
  const caller = t.phone(0);
  const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber };
  expect(await caller.use("verifyPatientIdentity", claim)).toMatchObject({ ok: true });
  return { ...caller, id };
}

describe("a day on which the office is closed", () => {
  const told = { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" } as const;
  const change = (write: Parameters<typeof update<TenantRow>>[1]) =>
    t.context(0).store.commit([update<TenantRow>(keys.tenantConfig(), write)], told);

  it("is neither offered nor booked, though the record system has free times on it, and is for another tenant", async () => {
    const caller = await verified();
    const [first] = await find(caller, {});
    const [date = ""] = first!.start.split("T");
    const at = { date, time: first!.start.slice(11, 16) };
    const { slotId } = first!;
    await change({ set: { facts: { holidays: [{ date, name: "Founders' Day" }] } } });
    try {
      const slots = await find(caller, {});
      expect(slots.length).toBeGreaterThan(0);
      expect(slots.filter(({ start }) => start.startsWith(date))).toEqual([]);
      expect((await find(caller, { date })).filter(({ start }) => start.startsWith(date))).toEqual([]);
      expect((await caller.use(tool, { action: "book", ...at, practitioner: "any doctor" })).output).not.toMatchObject({
        result: "booked",
      });
      // Offered before the holiday was set
      expect(await caller.use(tool, { action: "book", slotId })).toMatchObject({ ok: false, code: "slot_taken" });
      expect((await t.slot(0, slotId)).status).toBe("free");
      expect(slotsOf(await t.phone(1).use(tool, { action: "find" })).map(({ start }) => start.slice(0, 10))).toContain(date);
    } finally {
      await change({ remove: ["facts"] });
    }
    expect((await find(caller, {})).map(({ start }) => start.slice(0, 10))).toContain(date);
  });
});

describe("a caller who asks for a woman or a man", () => {
  it("is offered their times in the declared requests, in English and Spanish", async () => {
    const caller = t.phone(0);
    await find(caller, {});
    for (const practitioner of ["a female doctor", "I'd prefer a woman", "una doctora", "prefiero una mujer"]) {
      const wish = { action: "find", practitioner };
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, wish));
      const slots = slotsOf(answer);
      expect(slots.length, practitioner).toBeGreaterThan(0);
      for (const doctor of doctorsOf(slots)) expect(women, practitioner).toContain(doctor);
      expect(requests).toEqual(t.declaredRequests(tool, wish));
    }
    for (const doctor of doctorsOf(await find(caller, { practitioner: "un hombre, por favor" }))) expect(women).not.toContain(doctor);
    expect(doctorsOf(await find(caller, { practitioner: "a female cardiologist" }))).toEqual(["Dr. Esther Marlstead"]);
  });

  it("is offered others, and told so, where there is none or the record system does not say", async () => {
    const man = await t.phone(0).use(tool, { practitioner: "a male cardiologist" });
    expect(man.speech).toMatch(/^I don't see an opening with a man, but I have (?:today|tomorrow|\w+day)\b/);
    expect(doctorsOf(slotsOf(man))).toEqual(["Dr. Esther Marlstead"]);

    const all = await (await t.ehr(1)).search<Practitioner>("Practitioner", {});
    for (const { gender: _gender, ...one } of all) await put(1, one);
    try {
      const answer = await t.phone(1).use(tool, { practitioner: "a female doctor" });
      expect(answer.speech).toMatch(/^I can't tell who of our doctors is a woman or a man, but I have (?:today|tomorrow|\w+day)\b/);
      expect(slotsOf(answer).length).toBeGreaterThan(0);
    } finally {
      for (const one of all) await put(1, one);
    }
  });

  it("books with her, and is asked which of two", async () => {
    const caller = await verified();
    const slots = await find(caller, { practitioner: "a female dermatologist" });
    expect(doctorsOf(slots)).toEqual(["Dr. Farid Elmwick"]);
    const offers = await find(caller, { practitioner: "a woman", service: "gynecology" });
    const [offer] = offers;
    const booked = await caller.use(tool, { action: "book", practitioner: "the woman", start: offer!.start });
    expect(booked).toMatchObject({ ok: true, output: { appointment: { practitioner: "Dr. Gloria Hazelcombe" } } });
  });
});

describe("a caller who asks for the usual doctor", () => {
  it("is verified first, since the chart tells who that is", async () => {
    expect(await t.phone(0).use(tool, { practitioner: "my usual doctor" })).toEqual({
      ok: false,
      code: "identity_required",
      speech: sentences.identity_required,
    });
  });

  it("gets the general practitioner of the chart, for one read, and the audit says whose chart it was", async () => {
    const caller = await verified({ generalPractitioner: [{ reference: "Organization/1" }, { reference: "Practitioner/practitioner-2" }] });
    for (const practitioner of ["my usual doctor", "mi médico de cabecera", "the same doctor as last time"]) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { practitioner }));
      expect(doctorsOf(slotsOf(answer)), practitioner).toEqual(["Dr. Bernard Dunstead"]);
      expect(requests.filter((one) => one === "read Patient")).toEqual(["read Patient"]);
    }
    const finds = (await t.audits(0, caller.callKey)).filter(({ detail }) => detail?.["action"] === "find");
    expect(finds).toMatchObject(Array.from({ length: 3 }, () => ({ category: "patient_access", resourceId: caller.id })));
    const [offer] = slotsOf(await caller.use(tool, { practitioner: "my usual doctor" }));
    const booked = await caller.use(tool, { action: "book", practitioner: "my usual doctor", start: offer!.start });
    expect(booked).toMatchObject({ ok: true, output: { appointment: { practitioner: "Dr. Bernard Dunstead" } } });
  });

  it("gets the doctor of most of the last five visits where the chart names none, for one search", async () => {
    const caller = await verified();
    const visits = [
      ["practitioner-1", 900, "fulfilled"],
      ["practitioner-3", 10, "fulfilled"],
      ["practitioner-3", 40, "arrived"],
      ["practitioner-5", 20, "fulfilled"],
      ["practitioner-7", 5, "cancelled"],
      ["practitioner-7", 6, "noshow"],
    ] as const;
    for (const [nth, [doctor, daysAgo, status]] of visits.entries()) {
      const start = new Date(Date.now() - daysAgo * 86_400_000);
      await put(0, {
        resourceType: "Appointment",
        id: `wish-visit-${nth}`,
        status,
        start: start.toISOString(),
        end: new Date(start.getTime() + 1_800_000).toISOString(),
        participant: [
          { actor: { reference: `Patient/${caller.id}` }, status: "accepted" },
          { actor: { reference: `Practitioner/${doctor}` }, status: "accepted" },
        ],
      });
    }
    const wish = { practitioner: "the doctor I always see" };
    // The office's doctors are then known
    await t.phone(0).use(tool);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, wish));
    expect(doctorsOf(slotsOf(answer))).toEqual(["Dr. Celia Thornwick"]);
    expect(requests).toEqual(t.declaredRequests(tool, wish));
  });

  it("is offered any doctor, and told so, where none is known, and is not booked with one of them unasked", async () => {
    const caller = await verified();
    const answer = await caller.use(tool, { practitioner: "mi doctora" });
    expect(answer.speech).toMatch(/^I don't see who your usual doctor is, but I have (?:today|tomorrow|\w+day)\b/);
    const booked = await (
      await verified()
    ).use(tool, {
      action: "book",
      start: slotsOf(answer)[0]!.start,
      practitioner: "my usual doctor",
    });
    expect(booked).toMatchObject({ ok: false, output: { result: "choose" } });
  });

  it("is told that a time has no opening, and offered others, where no usual doctor is known", async () => {
    const caller = await verified();
    const [first] = await find(caller, {});
    const wish = { practitioner: "my usual doctor", date: first!.start.slice(0, 10), time: "5:10 AM" };
    const answer = await caller.use(tool, { action: "book", ...wish });
    expect(answer).toMatchObject({ ok: false, code: "slot_taken", output: { result: "taken", isNoOpening: true } });
    expect(slotsOf(answer).length).toBeGreaterThan(0);
  });
});

describe("a caller who names a place", () => {
  const northOnly = (slots: OpenSlot[]): void => {
    expect(slots.length).toBeGreaterThan(0);
    for (const { location } of slots) expect(location).toBe("Mockford North Clinic");
  };

  it("is offered times there, by the name of the place or its town, in the declared requests", async () => {
    const caller = t.phone(0);
    await find(caller, {});
    for (const location of ["Mockford", "the north clinic", "la clínica del norte", "the one in Mockford please"]) {
      const wish = { action: "find", location };
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, wish));
      northOnly(slotsOf(answer));
      expect(requests).toEqual(t.declaredRequests(tool, wish));
    }
    const anywhere = await find(caller, { location: "anywhere is fine" });
    expect(anywhere.length).toBeGreaterThan(0);
  });

  it("hears the places that there are where there is none of that name, and other offers where nothing is free there", async () => {
    const unknown = await t.phone(0).use(tool, { location: "Hillside" });
    expect(unknown.output).toMatchObject({ slots: [], unknown: "location" });
    expect(unknown.speech).toMatch(
      /^I don't see that location here\. We have times at .*Mockford North Clinic.*\. Which (?:one )?would suit you\?$/,
    );
    const elsewhere = await t.phone(0).use(tool, { location: "Mockford", service: "cardiology" });
    expect(elsewhere.speech).toMatch(/^I don't see an opening there, but I have (?:today|tomorrow|\w+day)\b/);
    expect(doctorsOf(slotsOf(elsewhere))).toEqual(["Dr. Esther Marlstead"]);
  });
});

describe("a caller who says what the visit is for", () => {
  it("that may be two of the clinic's services is asked, and one that only one of them fits is not", async () => {
    const asked = await t.phone(0).use(tool, { service: "my heart and my skin" });
    expect(asked).toMatchObject({ ok: false, output: { result: "whichService", services: ["cardiology", "dermatology"] } });
    expect(asked.speech).toBe("Is that for cardiology or dermatology?");
    expect(doctorsOf(await find(t.phone(0), { service: "my kid's ears" }))).toEqual(["Dr. Dmitri Kelcombe"]);
  });

  it("that the clinic has no doctor for is a general visit, unless the caller wants that doctor and no other", async () => {
    for (const service of ["a sick visit", "un chequeo", "primera vez"])
      expect((await find(t.phone(0), { service }))[0], service).toMatchObject({ service: "Primary care visit" });
    const kidney = await t.phone(0).use(tool, { service: "kidney problems" });
    expect(kidney.speech).toMatch(/^I don't see a specialist for that here, but for a general visit I have (?:today|tomorrow|\w+day)\b/);
    for (const service of ["a nephrologist", "kidney doctor", "horoscope visit"])
      expect((await t.phone(0).use(tool, { service })).speech, service).toBe(
        "I don't see that kind of visit here. What else can I look for?",
      );
  });
});
