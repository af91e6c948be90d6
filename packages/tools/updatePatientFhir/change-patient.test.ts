import type { Patient } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { changePatient, contactFingerprint } from "./change-patient.ts";

const now = new Date("2026-05-04T12:00:00Z");
const today = "2026-05-04";
const patient: Patient = {
  resourceType: "Patient",
  id: "p1",
  name: [{ family: "Roe" }],
  telecom: [
    { system: "phone", use: "mobile", value: "(617) 555-0100", rank: 1 },
    { system: "phone", use: "work", value: "617-555-0101" },
    { system: "email", value: "jane@example.com" },
  ],
  address: [
    { use: "home", text: "1 Old Road, Salem", line: ["1 Old Road"], city: "Salem", state: "MA", postalCode: "01970", country: "US" },
  ],
};
const change = (said: Parameters<typeof changePatient>[1], before = patient) => changePatient(before, said, now);

describe("a changed chart", () => {
  it("has the new phone number first and the old one behind it, ended today; the others stay", () => {
    const { after, changed } = change({ phoneNumber: "+16175550199" });
    expect(changed).toEqual(["phone"]);
    expect(after.telecom).toEqual([
      { system: "phone", use: "mobile", value: "+16175550199", rank: 1, period: { start: today } },
      { system: "phone", use: "old", value: "(617) 555-0100", period: { end: today } },
      ...patient.telecom!.slice(1),
    ]);
    expect({ ...after, telecom: patient.telecom }).toEqual(patient);
  });

  it("replaces the number of the kind that was named, and adds one of a kind that was not there", () => {
    expect(change({ phoneNumber: "+16175550199", phoneType: "work" }).after.telecom).toMatchObject([
      { use: "work", value: "+16175550199" },
      { use: "mobile" },
      { use: "old", value: "617-555-0101" },
      { system: "email" },
    ]);
    expect(change({ phoneNumber: "+16175550199", phoneType: "home" }).after.telecom).toHaveLength(4);
  });

  it("is the same chart when all that was said is on file, however it is written", () => {
    const said = { phoneNumber: "+16175550101", email: "JANE@example.com", street: "1 old road", preferredContact: "phone" } as const;
    expect(change(said)).toEqual({ after: patient, changed: [] });
  });

  it("takes over the part of an address that was said", () => {
    expect(change({ zipCode: "01971" }).after.address?.[0]).toEqual({
      use: "home",
      line: ["1 Old Road"],
      city: "Salem",
      state: "MA",
      postalCode: "01971",
      country: "US",
      period: { start: today },
    });
    expect(change({ street: "2 New Road" }).after.address?.[0]).toMatchObject({ line: ["2 New Road"], city: "Salem", postalCode: "01970" });
  });

  it("keeps no city of a street at another zip code, and keeps the old address as old", () => {
    const { after } = change({ street: "2 New Road", zipCode: "02139" });
    expect(after.address).toEqual([
      { use: "home", line: ["2 New Road"], postalCode: "02139", country: "US", period: { start: today } },
      { ...patient.address![0], use: "old", period: { end: today } },
    ]);
  });

  it("is one for who has neither contacts nor address yet", () => {
    const bare: Patient = { resourceType: "Patient", id: "p2" };
    const { after, changed } = change(
      { phoneNumber: "+16175550199", email: "a@example.com", city: "Salem", preferredContact: "email" },
      bare,
    );
    expect(changed).toEqual(["phone", "email", "address", "preference"]);
    expect(after.telecom).toMatchObject([
      { system: "email", rank: 1 },
      { system: "phone", value: "+16175550199" },
    ]);
  });

  it("makes one contact the first and no other", () => {
    const { after, changed } = change({ preferredContact: "email" });
    expect(changed).toEqual(["preference"]);
    expect(after.telecom?.map(({ rank }) => rank)).toEqual([2, undefined, 1]);
  });

  it("differs for every current contact and ignores ended ones", () => {
    const { after } = change({ phoneNumber: "+16175550199" });
    expect(contactFingerprint(after, now)).not.toBe(contactFingerprint(patient, now));
    const forgetful = { ...after, telecom: after.telecom?.filter(({ use }) => use !== "old") };
    expect(contactFingerprint(forgetful, now)).toBe(contactFingerprint(after, now));
  });
});
