import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { ContactForm, industries } from "./site.ts";

const whole = { firstName: "Ann", lastName: "Lee", email: "ann@example.com", message: "hello" };
const wrongFields = (body: object): string[] =>
  z.safeParse(ContactForm, body).error?.issues.map(({ path, code }) => path.join(".") || code) ?? [];

test.each(["firstName", "lastName", "email", "message"] as const)("D1.5-004 the contact form needs %s", (field) => {
  for (const value of [undefined, null, "", "   "])
    expect(wrongFields({ ...whole, [field]: value })).toEqual(expect.arrayContaining([field]));
});

test("D1.5-005 absent, empty and null phone and company are equivalent", () => {
  for (const absent of [undefined, null, "", "  "])
    expect(z.parse(ContactForm, { ...whole, phone: absent, company: absent })).toMatchObject({
      ...whole,
      phone: undefined,
      company: undefined,
    });
});

test("D1.2-044 an industry is one of the seven, or none", () => {
  expect(industries).toEqual(["healthcare", "dental", "homeservices", "cleaning", "hvac", "wellness", "other"]);
  for (const industry of [...industries, "", null, undefined]) expect(wrongFields({ ...whole, industry })).toEqual([]);
  for (const industry of ["law", 7, []]) expect(wrongFields({ ...whole, industry })).toEqual(["industry"]);
});

test("a message may contain lines, tabs and joined emoji, is trimmed, and has at most 5000 characters", () => {
  expect(z.parse(ContactForm, { ...whole, message: " a\r\n\tb 👩‍⚕️ \r\n" }).message).toBe("a\n\tb 👩‍⚕️");
  expect(wrongFields({ ...whole, message: "x".repeat(5000) })).toEqual([]);
  expect(wrongFields({ ...whole, message: "x".repeat(5001) })).toEqual(["message"]);
});

test("invisible characters and unknown fields are refused", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("firstName", "lastName", "phone", "company", "message"),
      fc.constantFrom("\u0000", "\u0007", "\u001b", "\u202e", "\u2028", "\ud800"),
      (field, sign) => {
        expect(wrongFields({ ...whole, [field]: `a${sign}b` })).toContain(field);
      },
    ),
  );
  for (const field of ["firstName", "lastName", "email", "phone", "company"])
    expect(wrongFields({ ...whole, [field]: "a\nb@c.de" })).toContain(field);
  expect(wrongFields({ ...whole, isAdmin: true })).toEqual(["unrecognized_keys"]);
});
