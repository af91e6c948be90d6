import type { OfficeRow } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";
import { createOffice } from "./index.ts";
import { findOfficeByNumber, officeWithNumber } from "./phone-number.ts";

const office = (id: string, phone: string | undefined, isActive = true): OfficeRow => ({
  ...{ id, name: id, isActive, createdAt: "2026-11-20T10:00:00Z" },
  ...(phone === undefined ? {} : { phone }),
});
const offices = [office("main", "(617) 555-0142"), office("north", "+44 20 7946 0123"), office("mute", undefined), office("odd", "ask us")];

test("an office is found by its number in any spelling", () => {
  for (const called of ["+16175550142", "16175550142", "617.555.0142", "(617) 555-0142", "tel:+1-617-555-0142", "617 555 0142 ext. 3"])
    expect([called, officeWithNumber(offices, called)?.id]).toEqual([called, "main"]);
  expect(officeWithNumber(offices, "+442079460123")?.id).toBe("north");
});

test("an unknown number and text that is no number belong to no office", () => {
  for (const called of ["+16175550143", "", "ask us", "0142", "555-0142", "sip:main@clinic.example", "anonymous", "+1"])
    expect([called, officeWithNumber(offices, called)]).toEqual([called, undefined]);
});

test("a number that two offices share names neither, unless one of them is switched off", () => {
  const annex = (isActive: boolean) => [...offices, office("annex", "617-555-0142", isActive)];
  expect(officeWithNumber(annex(true), "+16175550142")).toBeUndefined();
  expect(officeWithNumber(annex(false), "+16175550142")?.id).toBe("main");
  expect(officeWithNumber([office("main", "6175550142", false)], "+16175550142")).toBeUndefined();
});

test("no text of an office or a caller makes it fail, and an office is found by nothing but its own number", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[+\d() .x-]{0,30}$/));
  fc.assert(
    fc.property(text, text, (phone, called) => {
      const found = officeWithNumber([office("main", phone), office("mute", undefined)], called);
      expect(["main", undefined]).toContain(found?.id);
    }),
  );
});

let it: TestAws;
beforeAll(async () => void (it = await startTestAws()));
afterAll(() => it.close());

test("an office of the tenant is found with one query, and never the other tenant's", async () => {
  const [one, two] = await Promise.all(
    it.tenants.map(async (id) => {
      await addTenantRow(it.platform(), id, "Clinic");
      return it.inTenant(id);
    }),
  );
  const { id } = await createOffice(one!, { name: "Main", isActive: true, address: undefined, phone: "617 555 0142", email: undefined });
  it.resetUsage();
  expect((await findOfficeByNumber(one!, "+16175550142"))?.id).toBe(id);
  expect(it.usage().map(({ operation }) => operation)).toEqual(["Query"]);
  expect(await findOfficeByNumber(two!, "+16175550142")).toBeUndefined();
});
