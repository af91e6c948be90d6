import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emergencyLineFor } from "./find-emergency.ts";

describe("words of an emergency", () => {
  it.each([
    "I have chest pain since this morning",
    "there's a pressure in my chest",
    "He can’t breathe!",
    "she's having trouble breathing",
    "I'm short of breath",
    "I think it's a STROKE",
    "his face is drooping",
    "my son passed out",
    "he had a seizure",
    "the cut won't stop bleeding",
    "my throat is closing",
    "call an ambulance please",
  ])("send the caller to 911: %s", (words) => expect(emergencyLineFor({ words })).toMatch(/hang up and call 911/));

  it.each([
    "my chest hurts",
    "my chest feels really tight",
    "pain in chest",
    "a crushing feeling in the middle of my chest",
    "it hurts in my left arm and my heart aches",
    "he stopped breathing",
    "I can't catch my breath",
    "she is gasping for air",
    "she is turning blue",
    "his lips are blue",
    "grandma lost consciousness",
    "he collapsed and isn't responding",
    "one side of her body went numb",
    "his speech is slurred",
    "throwing up blood",
    "blood is pouring from the wound",
    "her tongue is swelling",
    "he's been stabbed",
  ])("C04: also when body and symptom stand otherwise: %s", (words) => expect(emergencyLineFor({ words })).toMatch(/hang up and call 911/));

  it.each([
    "I feel suicidal",
    "I want to kill myself",
    "sometimes she wants to die",
    "I don't want to live anymore",
    "I'm thinking of ending my life",
    "he said he'd take his own life",
    "I wish I was dead",
    "there's no reason to go on",
  ])("C04: also name the crisis line: %s", (words) => expect(emergencyLineFor({ words })).toMatch(/988/));

  it.each([
    "I need a refill of my blood pressure pills",
    "please call me about my breathing exercises",
    "my chest x-ray, is it back?",
    "I don't want my appointment",
    "a question about my bill",
    "a flu shot on Tuesday",
    "heart check-up with Dr. Marlstead",
    "he wants to move his appointment, his arm is in a cast",
    "Rosalind Graybill",
    "insulin refill, two boxes",
    "",
  ])("are not heard in: %s", (words) => expect(emergencyLineFor({ words })).toBeUndefined());
});

describe("words of a poisoning", () => {
  it.each(["I took too many pills", "swallowed bleach", "my daughter swallowed a button battery", "he took the whole bottle"])(
    "V01: name poison control and 911: %s",
    (words) => expect(emergencyLineFor({ words })).toMatch(/Poison Control at 1-800-222-1222 .+911/),
  );

  it.each([
    "she took a whole bottle of pills and won't wake up",
    "he overdosed and is not breathing",
    "se tomo unas pastillas y no despierta",
  ])("V01: send the caller to 911 alone when the person is unconscious: %s", (words) =>
    expect(emergencyLineFor({ words })).toMatch(/911 (?:right now|ahora mismo)\.$/),
  );
});

describe("the kind of a visit", () => {
  it.each([
    "shortness of breath evaluation",
    "chest pain clinic",
    "stroke follow-up",
    "seizure clinic",
    "post-heart-attack rehab",
    "consult for chest pain",
    "consulta de dolor de pecho",
    "evaluación de falta de aire",
  ])("V01: is no emergency: %s", (service) => expect(emergencyLineFor({ action: "find", service })).toBeUndefined());

  it.each([
    "I need an evaluation, I can't breathe",
    "I have chest pain and need an evaluation",
    "chest pain evaluation today, it won't stop",
    "I need an appointment for chest pain",
    "una consulta, tengo dolor de pecho",
    "evaluación urgente, me falta el aire",
  ])("V01: does not hide what the caller has: %s", (service) => expect(emergencyLineFor({ action: "find", service })).toMatch(/911/));
});

describe("the arguments of a tool call", () => {
  it.each([
    { service: "chest pain" },
    { wishes: [{ deep: "she stopped breathing" }] },
    '{"reason":"I want to end my life"}',
    "he is unconscious",
    JSON.stringify(JSON.stringify({ message: "he is unconscious" })),
  ])("C04: are heard as they came: %j", (args) => expect(emergencyLineFor(args)).toMatch(/911/));

  it("C04: of any shape do no harm", () => {
    fc.assert(
      fc.property(fc.anything(), (args) => {
        expect([undefined, "string"]).toContain(emergencyLineFor(args) === undefined ? undefined : "string");
      }),
    );
  });
});
