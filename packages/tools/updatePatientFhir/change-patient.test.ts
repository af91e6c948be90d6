import type { ContactPoint, Patient } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { contactPointsFor } from "../patient/contact-fields.ts";
import { changePatient, contactFingerprint, isPhoneTypeNeeded } from "./change-patient.ts";

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

it("a street in another town does not keep the old town's zip code; a street in the same town does", () => {
  const patient: Patient = {
    resourceType: "Patient",
    address: [{ use: "home", line: ["1 Old Road"], city: "Salem", state: "MA", postalCode: "01970", country: "US" }],
  };
  const now = new Date("2026-05-04T12:00:00Z");
  const moved = (said: object) => changePatient(patient, said, now).after.address?.[0];
  const houston = moved({ street: "9 Elm Street", city: "Houston", state: "TX" });
  expect(houston).toMatchObject({ line: ["9 Elm Street"], city: "Houston", state: "TX" });
  expect(houston).not.toHaveProperty("postalCode");
  expect(moved({ street: "9 Elm Street", city: "salem" })).toMatchObject({ postalCode: "01970" });
});

describe("a text after a changed phone number", () => {
  const phone = (use: ContactPoint["use"] & string, line: string, more: ContactPoint = {}): ContactPoint => ({
    ...{ system: "phone", use, value: `617-555-01${line}` },
    ...more,
  });
  const withPhones = (...telecom: ContactPoint[]): Patient => ({ resourceType: "Patient", id: "p3", telecom });
  const phoneNumber = "+16175550183";
  const textedAfter = (telecom: ContactPoint[], phoneType?: "mobile" | "home" | "work") =>
    contactPointsFor(change({ phoneNumber, ...(phoneType ? { phoneType } : {}) }, withPhones(...telecom)).after, "sms", now);

  it("goes to the new number, and the old one gets none, however the chart lists the cell phone", () => {
    const texted: ContactPoint = { system: "sms", value: "(617) 555-0182" };
    expect(textedAfter([texted])).toEqual([phoneNumber]);
    expect(textedAfter([texted], "mobile")).toEqual([phoneNumber]);
    expect(textedAfter([phone("mobile", "82"), texted], "mobile")).toEqual([phoneNumber]);
    expect(textedAfter([phone("home", "82"), texted])).toEqual([phoneNumber]);
    expect(textedAfter([phone("home", "81"), texted], "mobile")).toEqual([phoneNumber, "+16175550181"]);
    expect(textedAfter([phone("home", "81"), texted], "home")).toEqual(["+16175550182", phoneNumber]);
    expect(textedAfter([phone("mobile", "81", { rank: 2 }), phone("mobile", "82", { rank: 1 })], "mobile")[0]).toBe(phoneNumber);
    const { after } = change({ phoneNumber }, withPhones(texted));
    expect(after.telecom).toEqual([
      { system: "phone", use: "mobile", value: phoneNumber, period: { start: today } },
      { ...texted, use: "old", period: { end: today } },
    ]);
  });

  it("is like a mail after a changed email address: the preferred one is replaced", () => {
    const mail = (value: string, rank: number): ContactPoint => ({ system: "email", value, rank });
    const { after } = change({ email: "new@example.com" }, withPhones(mail("second@example.com", 2), mail("first@example.com", 1)));
    expect(contactPointsFor(after, "email", now)).toEqual(["new@example.com", "second@example.com"]);
  });

  it("finds a cell phone that is listed for texts alone on file already", () => {
    const chart = withPhones({ system: "sms", value: phoneNumber });
    for (const phoneType of [undefined, "mobile"] as const)
      expect(change({ phoneNumber, ...(phoneType ? { phoneType } : {}) }, chart)).toEqual({ after: chart, changed: [] });
  });

  it("needs the kind of phone where several numbers are on file and none of them is the one said", () => {
    const needed = (telecom: ContactPoint[], said: Parameters<typeof changePatient>[1] = { phoneNumber }) =>
      isPhoneTypeNeeded(withPhones(...telecom), said, now);
    const both = [phone("home", "81"), phone("mobile", "82")];
    expect(needed(both)).toBe(true);
    expect(needed([phone("home", "81"), { system: "sms", value: "617-555-0182" }])).toBe(true);
    expect(needed(both, { phoneNumber, phoneType: "home" })).toBe(false);
    expect(needed(both, { phoneNumber: "+16175550182" })).toBe(false);
    expect(needed(both, { email: "jane@example.com" })).toBe(false);
    expect(needed([phone("home", "81"), phone("mobile", "82", { use: "old" })])).toBe(false);
    expect(needed([phone("mobile", "82"), { system: "sms", value: "(617) 555-0182" }])).toBe(false);
    expect([needed([]), needed([phone("home", "81")])]).toEqual([false, false]);
  });
});
