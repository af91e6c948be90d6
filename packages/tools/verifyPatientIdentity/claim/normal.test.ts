import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { familyNameForms, firstGivenName, givenNameForms, normalizeName } from "../../nlu/names.ts";
import { normalizePhone, normalizeRecordNumber, normalizeZip } from "../../nlu/digits.ts";

const said = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(""));
const letters = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), minLength: 1, maxLength: 12 });

describe("names", () => {
  it("are the same with and without case, marks, apostrophes and outer space", () => {
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const plain = normalizeName(`${a} ${b}`);
        for (const form of [`${a}-${b}`, `  ${a.toUpperCase()}   ${b} `, `${a}\u0301 ${b}`, `${a}, ${b}.`])
          expect(normalizeName(form)).toBe(plain);
        expect(normalizeName(`o'${a}`)).toBe(normalizeName(`O’${a}`));
      }),
    );
    expect([normalizeName("Zoë Müller-Łukasz"), normalizeName("Ångström"), normalizeName("Strauß"), normalizeName("D’Arcy")]).toEqual([
      "zoe muller lukasz",
      "angstrom",
      "strauss",
      "darcy",
    ]);
  });

  it("stay apart when a letter differs", () => {
    fc.assert(fc.property(letters, letters, (a, b) => void expect(normalizeName(a) === normalizeName(b)).toBe(a === b)));
  });

  it("do not change when normalized again, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => void expect(normalizeName(normalizeName(text))).toBe(normalizeName(text))),
    );
  });

  it("D08: have five forms at most, however many words are said: each of them is counted", () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
    for (let count = 1; count <= 40; count++)
      expect(familyNameForms(words(count)).length + givenNameForms(words(count)).length).toBeLessThanOrEqual(5);
    expect([familyNameForms("De La Cruz"), familyNameForms("López García"), familyNameForms("Smith")]).toEqual([
      ["delacruz", "cruz"],
      ["lopezgarcia", "lopez", "garcia"],
      ["smith"],
    ]);
  });

  it("go by the first of the given names", () => {
    expect([firstGivenName("Ada J."), firstGivenName("Anne-Marie"), firstGivenName(" ")]).toEqual(["ada", "anne", ""]);
  });
});

describe("phone numbers", () => {
  it("are the same however they are written or said, with or without the country's code", () => {
    fc.assert(
      fc.property(digits(10), (number) => {
        const [a, b, c] = [number.slice(0, 3), number.slice(3, 6), number.slice(6)];
        const spoken = [...number].map((digit) => said[Number(digit)]).join(" ");
        for (const form of [number, `+1${number}`, `(${a}) ${b}-${c}`, `1 ${a}.${b}.${c}`, spoken, spoken.replaceAll("zero", "oh")])
          expect(normalizePhone(form), form).toBe(number);
      }),
    );
    expect(normalizePhone("six one seven, double five five, oh one, double zero")).toBe("6175550100");
  });

  it("of other countries are the same with all their digits alone", () => {
    expect(["+44 20 7946 0958", "442079460958"].map(normalizePhone)).toEqual(["442079460958", "442079460958"]);
  });

  it("with anything before or behind are no such number, so that one guess never stands for many", () => {
    for (const form of ["9999996175550100", "26175550100", "006175550100", "61755501009", "116175550100", "6175550100 6175550101"])
      expect(normalizePhone(form), form).not.toBe("6175550100");
    fc.assert(
      fc.property(digits(10), fc.integer({ min: 1, max: 9 }).chain(digits), (number, more) => {
        for (const form of [more + number, number + more]) {
          const isWithCountry = ["1", "001", "0111"].some((dialled) => form === `${dialled}${number}`);
          expect(normalizePhone(form) === number, form).toBe(isWithCountry);
        }
      }),
    );
  });

  it("that are too short match nothing", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 9 }).chain(digits), (number) => void expect(normalizePhone(number)).toBe("")));
  });
});

describe("zip codes and record numbers", () => {
  it("are the same said, typed or sent as a number", () => {
    expect(["02199", "02199-1234", "oh two one nine nine", "2199"].map(normalizeZip)).toEqual(["02199", "02199", "02199", "02199"]);
    expect([normalizeZip("SW1A 1AA"), normalizeZip("sw1a1aa")]).toEqual(["sw1a1aa", "sw1a1aa"]);
    expect(["MRN70001", "70001", "mrn 7 0 0 0 1", "seven zero zero zero one"].map(normalizeRecordNumber)).toEqual([
      "70001",
      "70001",
      "70001",
      "70001",
    ]);
    expect(normalizeRecordNumber("A-12b")).toBe("a12b");
    expect(["A-70001", "b70001", "a double seven 001"].map(normalizeRecordNumber)).toEqual(["a70001", "b70001", "a77001"]);
  });
});
