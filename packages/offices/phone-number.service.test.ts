import { newId } from "@vitaline/core";
import type { OfficeRow, TenantContext } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";
import { createOffice, listOffices, updateOffice } from "./index.ts";
import { findOfficeIdByNumber, officeWithNumber } from "./phone-number.ts";

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

const clinic = async (): Promise<TenantContext> => {
  const id = newId();
  await addTenantRow(it.platform(), id, "Clinic");
  return it.inTenant(id);
};
const add = async (ctx: TenantContext, name: string, phone = "617 555 0142") =>
  (await createOffice(ctx, { name, isActive: true, address: undefined, phone, email: undefined })).id;
const called = "+16175550142";

test("an office of the tenant is found by one read, after a first one over all offices, and never the other tenant's", async () => {
  const [one, two] = [await clinic(), await clinic()];
  const id = await add(one, "Main");
  expect(await findOfficeIdByNumber(one, called)).toBe(id);
  expect(await findOfficeIdByNumber(one, "+16175550143")).toBeUndefined();
  it.resetUsage();
  expect(await findOfficeIdByNumber(one, "(617) 555-0142")).toBe(id);
  expect(await findOfficeIdByNumber(one, "+16175550143")).toBeUndefined();
  expect(it.usage().map(({ operation }) => operation)).toEqual(["BatchGetItem", "BatchGetItem"]);
  expect(await findOfficeIdByNumber(two, called)).toBeUndefined();
});

test("each change of an office's number or state shows in the next call", async () => {
  const ctx = await clinic();
  const main = await add(ctx, "Main");
  expect(await findOfficeIdByNumber(ctx, called)).toBe(main);
  const annex = await add(ctx, "Annex");
  expect(await findOfficeIdByNumber(ctx, called)).toBeUndefined();
  await updateOffice(ctx, main, { name: "Main", isActive: false });
  expect(await findOfficeIdByNumber(ctx, called)).toBe(annex);
  await updateOffice(ctx, annex, { name: "Annex", phone: "617 555 0199" });
  expect(await findOfficeIdByNumber(ctx, called)).toBeUndefined();
  expect(await findOfficeIdByNumber(ctx, "+16175550199")).toBe(annex);
  await updateOffice(ctx, main, { name: "Main", isActive: true });
  expect(await findOfficeIdByNumber(ctx, called)).toBe(main);
  await updateOffice(ctx, annex, { name: "Annex", phone: null });
  expect(await findOfficeIdByNumber(ctx, "+16175550199")).toBeUndefined();
});

test("an office that is changed while it is looked up is looked up again", async () => {
  for (const isKnown of [false, true]) {
    const ctx = await clinic();
    const main = await add(ctx, "Main");
    if (isKnown) {
      await findOfficeIdByNumber(ctx, called);
      await updateOffice(ctx, main, { name: "Main", isActive: false });
    }
    const query: TenantContext["store"]["query"] = async (...args) => {
      const page = await ctx.store.query<never>(...(args as Parameters<typeof ctx.store.query<never>>));
      await add(ctx, "Annex", "617 555 0142");
      return page;
    };
    await findOfficeIdByNumber({ ...ctx, store: { ...ctx.store, query } }, called);
    const [annex] = (await listOffices(ctx)).flatMap(({ id, name }) => (name === "Annex" ? [id] : []));
    expect(await findOfficeIdByNumber(ctx, called)).toBe(isKnown ? annex : undefined);
  }
});
