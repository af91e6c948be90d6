import type { Patient } from "fhir/r4.js";
import { addressFrom, tidy } from "../contact-fields.ts";
import { requestSystem } from "../request-key.ts";
import type { Input } from "./input.ts";

/** The new chart, with the mark of the request that makes it. */
export function patientOfWords(said: Input, requestKey: string): Patient {
  const { firstName, lastName, dateOfBirth, phoneNumber, email, gender } = said;
  const address = addressFrom(said);
  return {
    resourceType: "Patient",
    active: true,
    identifier: [{ system: requestSystem, value: requestKey }],
    name: [{ use: "official", family: tidy(lastName), given: tidy(firstName).split(" ") }],
    birthDate: dateOfBirth,
    ...(gender ? { gender } : {}),
    telecom: [
      ...(phoneNumber ? [{ system: "phone" as const, value: phoneNumber, use: "home" as const }] : []),
      ...(email ? [{ system: "email" as const, value: email }] : []),
    ],
    ...(address ? { address: [{ use: "home", ...address }] } : {}),
  };
}
