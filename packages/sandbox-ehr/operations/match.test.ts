import type { Bundle, Patient } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { answer, callOf, openClinic } from "../clinic.fixture.ts";
import { match, isOneEditApart } from "./match.ts";

const clinic = await openClinic();
const known = clinic.read("Patient", "patient-1001");
const [name, phone] = [known.name![0]!, known.telecom![0]!.value!];

const send = (parameter: object[]) => answer<Bundle>(() => match(clinic.server, callOf({ resourceType: "Parameters", parameter })));
const grades = async (resource: Partial<Patient>, more: object[] = []) => {
  const { body } = await send([{ name: "resource", resource: { resourceType: "Patient", ...resource } }, ...more]);
  return (body.entry ?? []).map(({ resource: found, search }) => [found!.id, search!.extension![0]!.valueCode]);
};
const whole: Partial<Patient> = { name: [{ family: name.family!.toUpperCase(), given: name.given! }], birthDate: known.birthDate! };

describe("Patient/$match", () => {
  it("is certain of a patient whose name and birth date agree, with any further matching detail", async () => {
    expect((await grades(whole))[0]).toEqual(["patient-1001", "certain"]);
    expect((await grades({ ...whole, gender: known.gender!, telecom: [{ system: "phone", value: phone.replace(/\D/g, "") }] }))[0]).toEqual(
      ["patient-1001", "certain"],
    );
    expect((await grades({ identifier: [known.identifier![0]!], birthDate: known.birthDate! }))[0]).toEqual(["patient-1001", "certain"]);
  });

  it("is not certain when anything disagrees or is only nearly the same", async () => {
    const nearly: Partial<Patient>[] = [
      { ...whole, telecom: [{ system: "phone", value: "(617) 555-0999" }] },
      { ...whole, name: [{ family: `${name.family}s`, given: name.given! }] },
      { ...whole, name: [{ family: name.family!, given: ["Zed"] }] },
      { ...whole, birthDate: "1931-01-01" },
      { name: whole.name! },
    ];
    for (const resource of nearly) {
      expect(Object.fromEntries(await grades(resource))["patient-1001"], JSON.stringify(resource)).not.toBe("certain");
      const only = await grades(resource, [{ name: "onlyCertainMatches", valueBoolean: true }]);
      expect(only.map(([id]) => id)).not.toContain("patient-1001");
    }
  });

  it("knows a former name", async () => {
    const { name: names, birthDate } = clinic.read("Patient", "patient-1062");
    expect(await grades({ name: [{ family: "Oldcombe", given: names![0]!.given! }], birthDate: birthDate! })).toEqual([
      ["patient-1062", "certain"],
    ]);
  });

  it("is not certain when two patients match equally, and never finds a merged chart", async () => {
    const own = await openClinic();
    await own.store.commit([{ ...known, id: "twin" }]);
    const { body } = await answer<Bundle>(() =>
      match(
        own.server,
        callOf({ resourceType: "Parameters", parameter: [{ name: "resource", resource: { resourceType: "Patient", ...whole } }] }),
      ),
    );
    const found = body.entry!.map(({ resource, search }) => [resource!.id, search!.extension![0]!.valueCode]);
    expect(found.slice(0, 2)).toEqual([
      ["patient-1001", "probable"],
      ["twin", "probable"],
    ]);
    const merged = clinic.read("Patient", "patient-1200");
    expect(Object.fromEntries(await grades({ name: merged.name!, birthDate: merged.birthDate! }))["patient-1200"]).toBeUndefined();
  });

  it("gives scores from 0 to 1, best first, and no more than asked for", async () => {
    const { body } = await send([
      { name: "resource", resource: { resourceType: "Patient", name: [{ family: name.family! }], birthDate: known.birthDate } },
      { name: "count", valueInteger: 1 },
    ]);
    expect(body.entry).toHaveLength(1);
    expect(body.entry![0]!.search).toMatchObject({ mode: "match", score: 1 });
  });

  it("refuses a patient without comparable values", async () => {
    expect((await send([])).status).toBe(400);
    expect((await send([{ name: "resource", resource: { resourceType: "Patient", birthDate: "1980-01-01" } }])).status).toBe(422);
    expect((await send([{ name: "shoe", valueInteger: 1 }])).status).toBe(400);
    expect((await answer(() => match(clinic.server, callOf("nonsense")))).status).toBe(400);
  });
});

describe("a slip", () => {
  it("is one letter too many, too few, another, or two exchanged", () => {
    const pairs: [string, string, boolean][] = [
      ["smith", "smith", true],
      ["smith", "smiths", true],
      ["smith", "mith", true],
      ["smith", "smyth", true],
      ["smith", "simth", true],
      ["smith", "smythe", false],
      ["smith", "jones", false],
      ["", "ab", false],
    ];
    for (const [a, b, slip] of pairs) expect([isOneEditApart(a, b), isOneEditApart(b, a)], `${a} ${b}`).toEqual([slip, slip]);
  });
});
