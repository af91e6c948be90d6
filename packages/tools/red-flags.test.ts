import { describe, expect, it } from "vitest";
import { emergencyLine } from "./red-flags.ts";

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
    "I took too many pills",
    "the cut won't stop bleeding",
    "my throat is closing",
  ])("send the caller to 911: %s", (words) => expect(emergencyLine(words)).toMatch(/hang up and call 911/));

  it.each(["I feel suicidal", "I want to kill myself", "sometimes she wants to die"])("also name the crisis line: %s", (words) =>
    expect(emergencyLine(undefined, words)).toMatch(/988/),
  );

  it.each([
    "I need a refill of my blood pressure pills",
    "please call me about my breathing exercises",
    "my chest x-ray, is it back?",
    "I don't want my appointment",
    "a question about my bill",
    "",
  ])("are not heard in: %s", (words) => expect(emergencyLine(words)).toBeUndefined());
});
