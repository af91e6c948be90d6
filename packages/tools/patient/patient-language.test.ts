import type { Patient } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { interpreterNote, patientLanguage } from "./patient-language.ts";

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

describe("the note of an interpreter", () => {
  it("names the language of a patient who prefers neither English nor Spanish", () => {
    expect(interpreterNote(patient([spoken("en"), preferred(spoken("vi", "VIET"))]))).toBe("Interpreter: Vietnamese");
    expect(interpreterNote(patient([preferred(spoken("ase"))]))).toBe("Interpreter: American Sign Language");
    expect(interpreterNote(patient([preferred(named("Hmong\n Daw"))]))).toBe("Interpreter: Hmong Daw");
  });

  it("stands for any language where the chart asks for an interpreter, and for none where it says that none is needed", () => {
    expect(interpreterNote(patient([preferred(spoken("es"))], required(true)))).toBe("Interpreter: Spanish");
    expect(interpreterNote(patient(undefined, required(true)))).toBe("Interpreter: language not on file");
    expect(interpreterNote(patient([preferred(spoken("vi"))], needed("373066001")))).toBe("Interpreter: Vietnamese");
    expect(interpreterNote(patient([preferred(spoken("vi"))], required(false)))).toBeUndefined();
    expect(interpreterNote(patient([preferred(spoken("vi"))], needed("373067005")))).toBeUndefined();
  });

  it("is not made of what is no language", () => {
    for (const communication of [
      [spoken("und")],
      [spoken("UNK", "Unknown")],
      [named("Declined to answer")],
      [spoken("es")],
      [spoken("en")],
      undefined,
    ])
      expect(interpreterNote(patient(communication))).toBeUndefined();
  });
});
