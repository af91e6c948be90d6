import { beforeAll, describe, expect, it } from "vitest";
import type { Resource, ResourceType } from "../store/resource.ts";
import { defaultSeed, seedStore } from "../seed/index.ts";
import { openStore, type Store } from "../store/store.ts";
import { dstu2 } from "./dstu2/index.ts";
import { stu3 } from "./stu3/index.ts";
import type { NativeResource } from "./version.ts";

const now = new Date("2026-11-23T15:00:00Z");
let store: Store;
beforeAll(async () => {
  store = await openStore({ dataDir: undefined, now: () => now });
  await seedStore(store, now, defaultSeed);
});

const message: Resource = {
  resourceType: "Communication",
  id: "message",
  status: "completed",
  category: [{ text: "Refill" }],
  subject: { reference: "Patient/patient-1001" },
  recipient: [{ reference: "Practitioner/practitioner-1" }],
  sent: "2026-11-23T10:00:00-05:00",
  payload: [{ contentString: "Please call back." }],
};
const wish: Resource = {
  ...message,
  resourceType: "CommunicationRequest",
  status: "active",
  sent: undefined,
  authoredOn: "2026-11-23T10:00:00-05:00",
} as Resource;

/** The elements that survive a round trip, by version and type. */
const kept: Record<string, Record<string, readonly string[]>> = {
  STU3: {
    Patient: ["name", "telecom", "address", "birthDate", "gender", "identifier", "active", "link"],
    Appointment: ["status", "start", "end", "slot", "serviceType", "participant"],
    Slot: ["status", "start", "end", "schedule", "serviceType"],
  },
  DSTU2: {
    Patient: ["name", "telecom", "address", "birthDate", "gender", "identifier", "active", "link"],
    Appointment: ["status", "start", "end", "slot", "participant"],
    Slot: ["status", "start", "end", "schedule"],
  },
};

describe.each([stu3, dstu2])("$name", (version) => {
  const there = (resource: Resource) => JSON.parse(JSON.stringify(version.toNative(resource, store))) as NativeResource;

  it.each(["Patient", "Appointment", "Slot"] as const)("round-trips every %s without losing supported elements", (type) => {
    const all = store.all(type).slice(-400);
    expect(all.length).toBeGreaterThan(50);
    for (const one of all) {
      const back = version.toR4(there(one)) as unknown as Record<string, unknown>;
      for (const element of kept[version.name]![type]!) expect(back[element]).toEqual((one as unknown as Record<string, unknown>)[element]);
    }
  });

  it("round-trips messages and requests for them", () => {
    for (const one of [message, wish]) expect(version.toR4(there(one))).toMatchObject(JSON.parse(JSON.stringify(one)));
  });

  it("contains no R4-only element", () => {
    const types: ResourceType[] = [
      "Condition",
      "AllergyIntolerance",
      "MedicationRequest",
      "MedicationStatement",
      "MedicationDispense",
      "Coverage",
    ];
    for (const type of types) {
      for (const one of store.all(type, "patient-1001")) {
        const native = there(one);
        expect(native.resourceType).toBe(version.typeName(type));
        for (const element of ["recordedDate", "doseAndRate", "beneficiary", "encounter"].filter(
          (name) => !allowed(version.name, type).includes(name),
        ))
          expect(Object.keys(native)).not.toContain(element);
        for (const status of ["clinicalStatus", "verificationStatus"]) expect(["string", "undefined"]).toContain(typeof native[status]);
      }
    }
  });
});

const allowed = (version: string, type: ResourceType): string[] => [
  ...(version === "DSTU2" && type === "AllergyIntolerance" ? ["recordedDate"] : []),
  ...(version === "DSTU2" ? ["encounter"] : []),
  ...(version === "STU3" && type === "Coverage" ? ["beneficiary"] : []),
];
