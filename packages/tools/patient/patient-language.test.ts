import type { Patient } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { interpreterFor, patientLanguage } from "./patient-language.ts";

type Communication = NonNullable<Patient["communication"]>[number];
const spoken = (code: string, display?: string): Communication => ({
  language: { coding: [{ system: "urn:ietf:bcp:47", code, ...(display ? { display } : {}) }] },
});
const named = (text: string): Communication => ({ language: { text } });
const preferred = (one: Communication): Communication => ({ ...one, preferred: true });
const patient = (communication?: Communication[], extension?: Patient["extension"]): Patient => ({
  resourceType: "Patient",
  ...(communication ? { communication } : {}),
  ...(extension ? { extension } : {}),
});
const required = (valueBoolean: boolean) => [{ url: "http://hl7.org/fhir/StructureDefinition/patient-interpreterRequired", valueBoolean }];
const needed = (code: string) => [
  {
    url: "http://hl7.org/fhir/us/core/StructureDefinition/us-core-interpreter-needed",
    valueCoding: { system: "http://snomed.info/sct", code },
  },
];

describe("the patient's language", () => {
  it("is the preferred one, or the only one on file, by code, display or text", () => {
    expect(patientLanguage(patient([spoken("en-US"), preferred(spoken("es"))]))).toBe("es");
    expect(patientLanguage(patient([spoken("es-MX")]))).toBe("es");
    expect(patientLanguage(patient([preferred(named("Spanish"))]))).toBe("es");
    expect(patientLanguage(patient([preferred(spoken("1", "English"))]))).toBe("en");
  });

  it("is not guessed from several, from another language or from an empty chart", () => {
    for (const communication of [[spoken("en"), spoken("es")], [spoken("vi")], [], undefined])
      expect(patientLanguage(patient(communication))).toBeUndefined();
  });
});

describe("the language to interpret", () => {
  it("is that of a patient who prefers neither English nor Spanish", () => {
    expect(interpreterFor(patient([spoken("en"), preferred(spoken("vi", "VIET"))]))).toBe("Vietnamese");
    expect(interpreterFor(patient([preferred(spoken("ase"))]))).toBe("American Sign Language");
    expect(interpreterFor(patient([preferred(named("Hmong\n Daw"))]))).toBe("Hmong Daw");
  });

  it("is any language where the chart asks for an interpreter, and none where it says that none is needed", () => {
    expect(interpreterFor(patient([preferred(spoken("es"))], required(true)))).toBe("Spanish");
    expect(interpreterFor(patient(undefined, required(true)))).toBe("language not on file");
    expect(interpreterFor(patient([preferred(spoken("vi"))], needed("373066001")))).toBe("Vietnamese");
    expect(interpreterFor(patient([preferred(spoken("vi"))], required(false)))).toBeUndefined();
    expect(interpreterFor(patient([preferred(spoken("vi"))], needed("373067005")))).toBeUndefined();
  });

  it("is never the word for an unknown one", () => {
    for (const communication of [
      [spoken("und")],
      [spoken("UNK", "Unknown")],
      [named("Declined to answer")],
      [spoken("es")],
      [spoken("en")],
      undefined,
    ])
      expect(interpreterFor(patient(communication))).toBeUndefined();
  });
});
