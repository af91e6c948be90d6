import { expect, test } from "vitest";
import { detailText, inWords } from "./audit-words.ts";

test("names of the machine read as words", () => {
  expect(["fhirProviderId", "not_found", "overlapSeconds", "ms", "GET"].map(inWords)).toEqual([
    "FHIR provider ID",
    "Not found",
    "Overlap seconds",
    "Ms",
    "Get",
  ]);
});

test("values of a detail read as answers, numbers and lists", () => {
  expect([true, false, 3600, "name,phone", ""].map(detailText)).toEqual(["Yes", "No", "3,600", "name, phone", ""]);
});
