import { expect, it } from "vitest";
import * as z from "zod/mini";
import { loadTools } from "../tools.ts";
import { isGeneralService, matchesService, speakService } from "./matching.ts";

const tools = await loadTools();

it("a service is known by its name and by what people call it, and not by the word for any visit", () => {
  for (const said of ["cardio", "Cardiology visit", "heart doctor", "a heart checkup", undefined])
    expect(matchesService(["Cardiology visit"], said), said).toBe(true);
  for (const said of ["skin doctor", "new patient visit", "general visit", "horoscope"])
    expect(matchesService(["Cardiology visit"], said), said).toBe(false);
  expect(matchesService(["Primary care visit"], "primary care")).toBe(true);
  expect(matchesService(["Sick visit"], "visit")).toBe(true);
  for (const [recorded, said] of [
    ["Vaccination", "a flu shot"],
    ["Physical therapy", "some physical therapy for my back"],
    ["Annual physical", "my yearly checkup"],
    ["Acupuncture", "I need an acupuncture appointment please"],
    ["Cardiology visit", "just a regular appointment"],
  ] as const)
    expect(matchesService([recorded], said), said).toBe(true);
  for (const [recorded, said] of [
    ["Physical therapy", "annual physical"],
    ["Vaccination", "blood work"],
  ] as const)
    expect(matchesService([recorded], said), said).toBe(false);
});

it("a service is said within a sentence, and general practice is told from a specialty", () => {
  expect(["Gynecology visit", "Orthopedic visit", "Dermatology", "Sick visit"].map(speakService)).toEqual([
    "a gynecology visit",
    "an orthopedic visit",
    "dermatology",
    "a sick visit",
  ]);
  expect(["Primary care visit", "General practice", "Family medicine", undefined, "Cardiology visit"].map(isGeneralService)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

it("every argument of booking and of verifying is described, and a choice is one of its words and nothing beside", () => {
  for (const name of ["scheduleAppointment", "verifyPatientIdentity"]) {
    const { properties = {} } = z.toJSONSchema(tools[name]!.input, { io: "input", unrepresentable: "any" });
    for (const [field, schema] of Object.entries(properties))
      expect(schema, `${name}.${field}`).toMatchObject({ description: expect.any(String) as string });
    const choice = properties[name === "scheduleAppointment" ? "action" : "sendCode"];
    expect(Object.keys(choice as object).toSorted()).toEqual(["description", "enum", "type"]);
  }
});
