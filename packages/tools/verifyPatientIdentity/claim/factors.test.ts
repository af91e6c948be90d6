import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey } from "./factors.ts";

describe("an address", () => {
  it("is its house number and its street, however it is written or said", () => {
    for (const form of [
      "12 Oak Street",
      "12 oak st.",
      "12 Oak",
      "12, Oak Street",
      "one two Oak St, Apt 4",
      "12 Oak Street Apartment 4, Springfield, MA 02199",
      "0012 OAK STREET #4",
    ])
      expect(addressKey(form), form).toBe("12 oak");
    for (const form of ["123 Oak", "one two three Oak Street", "one twenty-three Oak"]) expect(addressKey(form), form).toBe("123 oak");
    expect(["four oh five Elm", "twelve hundred Elm", "12345 Elm", "12 O Street"].map(addressKey)).toEqual([
      "405 elm",
      "1200 elm",
      "12345 elm",
      "12 o",
    ]);
    expect(["12 St. James Place", "12 Saint James Pl"].map(addressKey)).toEqual(["12 saintjames", "12 saintjames"]);
    expect(["7 Fifth Avenue", "7 5th Ave", "seven 5th avenue"].map(addressKey)).toEqual(["7 5th", "7 5th", "7 5th"]);
    expect(["100 Avenue of the Americas", "12B Mock Orchard Way"].map(addressKey)).toEqual(["100 avenueoftheamericas", "12b mockorchard"]);
  });

  it("without number or street is none", () => {
    for (const form of ["", "Oak Street", "12", "12 Apt 4", "Apt 4", ",;", "PO Box"]) expect(addressKey(form), form).toBe("");
  });

  it("stays apart from another number or another street", () => {
    const name = fc.stringMatching(/^[a-z]{4,9}$/);
    const number = fc.integer({ min: 1, max: 99_999 });
    fc.assert(
      fc.property(number, name, number, name, (a, street, b, other) => {
        const [key, another] = [`${a} ${street} Road`, `${b} ${other} Road`].map(addressKey);
        fc.pre(key !== "" && another !== "");
        expect(key === another).toBe(a === b && street === other);
      }),
    );
  });

  it("is parsed without failing for any text", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => void expect(typeof addressKey(text)).toBe("string")));
  });
});
