import { expect, it } from "vitest";
import { phrasingIn } from "../test/sentences.fixture.ts";
import { connectingWith, destinationName } from "./destination-name.ts";

const [english, spanish] = [phrasingIn("en"), phrasingIn("es")];

it.each([
  ["Front desk", "the front desk", "la recepción"],
  ["FRONT DESK", "the front desk", "la recepción"],
  ["the clinic", "the clinic", "la clínica"],
  ["Billing", "billing", "el área de facturación"],
  ["Billing Department", "the billing department", "el área de facturación"],
  ["Nurse on call", "the nurse on call", "enfermería de guardia"],
  ["On-call nurse", "the on-call nurse", "enfermería de guardia"],
  ["Mockford North front desk", "the Mockford North front desk", "Mockford North front desk"],
  ["Dr. Larkmere", "Doctor Larkmere", "Dr. Larkmere"],
  ["Maria Lopez", "Maria Lopez", "Maria Lopez"],
  ["ENT", "ENT", "ENT"],
])("%s is said as %s, or %s", (label, en, es) => {
  expect([destinationName(label, english), destinationName(label, spanish)]).toEqual([en, es]);
});

it("a call is put through to a destination by its name, which Spanish may contract", () => {
  expect(connectingWith("Front desk", english)).toBe("One moment, I'm connecting you with the front desk.");
  expect(connectingWith("Lab", spanish)).toBe("Un momento, le comunico con el laboratorio.");
});
