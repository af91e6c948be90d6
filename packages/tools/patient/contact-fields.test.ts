import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { addressFields, Email, parseEmail, parsePhone, Phone } from "./contact-fields.ts";
import { parseAddressLine, toFhirAddress } from "../nlu/address.ts";
import { tidyText } from "../nlu/tidy-text.ts";

describe("a phone number", () => {
  it.each([
    ["(617) 555-0100", "+16175550100"],
    ["+1 617 555 0100", "+16175550100"],
    ["1-617-555-0100", "+16175550100"],
    ["six one seven, five five five, oh one double zero", "+16175550100"],
    ["+44 20 7946 0958", "+442079460958"],
  ])("is understood as it is said: %s", (said, number) => expect(parsePhone(said)).toBe(number));

  it.each(["555 0100", "617", "my number", "+12", "017 555 0100 22", "+1 117 555 0100"])(
    "is asked for again when it is not whole: %s",
    (said) => {
      expect(parsePhone(said)).toBeUndefined();
      expect(z.safeParse(Phone, said).error?.issues[0]?.message).toBe("with the area code");
    },
  );
});

describe("an email address", () => {
  it.each([
    ["Jane.Roe@Example.com", "jane.roe@example.com"],
    ["jane dot roe at example dot com", "jane.roe@example.com"],
    ["jane underscore roe dash 2 at mail dot example dot org", "jane_roe-2@mail.example.org"],
    ["pat at at home dot example", "pat@athome.example"],
    ["jane", undefined],
  ])("is understood as it is said: %s", (said, email) => expect(parseEmail(said)).toBe(email));

  it("may be left out in every way that models leave things out", () => {
    for (const nothing of [undefined, null, "", "  "]) expect(z.parse(Email, nothing)).toBeUndefined();
  });
});

describe("an address", () => {
  const Said = z.object(addressFields);
  it.each([
    ["12 Main Street, Springfield, Illinois 62704", { street: "12 Main Street", city: "Springfield", state: "IL", zipCode: "62704" }],
    [
      "12 Main Street, Apartment 3, New York, New York 10001",
      { street: "12 Main Street, Apartment 3", city: "New York", state: "NY", zipCode: "10001" },
    ],
    ["12 Main Street", { street: "12 Main Street" }],
    ["12345 Elm Road, 62704-1234", { street: "12345 Elm Road", zipCode: "62704-1234" }],
    ["62704", { zipCode: "62704" }],
  ])("in one line is taken apart: %s", (line, parts) => expect(parseAddressLine(line)).toEqual(parts));

  it("may be partial, spoken, and in parts that go before the line", () => {
    const said = (fields: object) => toFhirAddress(z.parse(Said, fields));
    expect(said({ street: "forty-two elm street", zipCode: "six two seven oh four" })).toEqual({
      line: ["Forty-Two Elm Street"],
      postalCode: "62704",
    });
    expect(said({ state: "new york" })).toEqual({ state: "NY" });
    expect(said({ zipCode: 2139 })).toEqual({ postalCode: "02139" });
    expect(said({ address: "12 Main Street, Springfield, IL 62704", city: "Salem" })).toEqual({
      line: ["12 Main Street"],
      city: "Salem",
      state: "IL",
      postalCode: "62704",
    });
    expect(said({ street: "", city: null })).toBeUndefined();
    expect(z.safeParse(Said, { zipCode: "12" }).error?.issues[0]?.message).toBe("with five digits");
  });

  it("never has empty parts", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80, unit: fc.constantFrom(..."aB1 ,.-\u0000'é5") }), (line) => {
        const { success, data } = z.safeParse(Said, { address: line });
        for (const part of Object.values((success && toFhirAddress(data)) || {}).flat()) expect(part).toMatch(/\S/);
      }),
    );
  });
});

describe("words", () => {
  it.each([
    ["jane", "Jane"],
    ["O'BRIEN-SMITH", "O'Brien-Smith"],
    ["McDonald", "McDonald"],
    ["  ana\u0000\u200bmaría  ", "Ana María"],
    ["Li", "Li"],
  ])("are written as one writes them: %j", (said, written) => expect(tidyText(said)).toBe(written));
});
