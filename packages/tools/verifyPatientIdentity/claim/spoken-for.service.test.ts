import { AppError } from "@vitaline/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runTool } from "../../index.ts";
import { startTools, type Tools } from "../../test/tools.fixture.ts";
import { familiesOf, type Families } from "./proxy.fixture.ts";

const verify = "verifyPatientIdentity";
let t: Tools;
let [f, alone]: Families[] = [];
beforeAll(async () => {
  t = await startTools();
  [f, alone] = [familiesOf(t, 0), familiesOf(t, 1)];
  // Tenant 1 has no approvals, and hands such calls over before anything is looked for.
  await f.approve(await f.patientOf(40));
}, 60_000);
afterAll(() => t.close());

const refused = { ok: false, code: "identity_not_verified", output: { verified: false, level: 0 } };
type Patient = Awaited<ReturnType<Families["patientOf"]>>;
const asSelf = ({ claim }: Patient) => ({ ...claim, callingFor: "self" });

describe("a caller who has said to call for a patient", () => {
  it.each<[string, (patient: Patient) => object]>([
    ["by all details, but not their own", ({ claim }) => claim],
    ["with a wrong detail", (patient) => f!.asSam(patient, { zipCode: "10099" })],
    ["without an approval", (patient) => f!.asSam(patient)],
    ["by the first name alone", ({ claim }) => ({ firstName: claim.firstName })],
    ["by the birth date alone", ({ claim }) => ({ dateOfBirth: claim.dateOfBirth })],
    ["without a word about them", () => ({})],
  ])("%s is not verified as that patient in the call, and the patient is in another", async (_how, said) => {
    const patient = await f!.patientOf(40);
    const phone = t.phone(0);
    expect(await phone.use(verify, { ...said(patient), callingFor: "other" })).toMatchObject({ ok: false });
    expect(await phone.use(verify, asSelf(patient))).toMatchObject(refused);
    expect(await phone.use("getPatientInfo")).toMatchObject({ code: "identity_required" });
    expect(await t.phone(0).use(verify, asSelf(patient))).toMatchObject({ ok: true });
  });

  it("is not verified as them either where such calls are handed over, or after the record system failed", async () => {
    const patient = await alone!.patientOf(40);
    const phone = t.phone(1);
    expect(await phone.use(verify, { ...patient.claim, callingFor: "other" })).toMatchObject({ output: { about: "somebody_else" } });
    expect(await phone.use(verify, asSelf(patient))).toMatchObject(refused);

    const other = await f!.patientOf(40);
    const unlucky = t.phone(0);
    const ctx = t.context(0);
    const failing = {
      ...ctx,
      openEhr: async (...args: Parameters<typeof ctx.openEhr>) => {
        const ehr = await ctx.openEhr(...args);
        return { ...ehr, search: () => Promise.reject(new AppError("ehr_timeout", "No answer")) };
      },
    };
    expect(await runTool(failing, unlucky.call(verify, f!.asSam(other)))).toMatchObject({ code: "ehr_timeout" });
    expect(await unlucky.use(verify, asSelf(other))).toMatchObject(refused);
  });

  it("is known by another name form of the same birth date", async () => {
    const names = [{ given: ["Robert"] }, { given: ["Bob"], use: "nickname" as const }];
    const patient = await f!.patientOf(40, { name: names.map((name) => ({ ...name, family: "Twonames" })) });
    const phone = t.phone(0);
    const said = { ...patient.claim, lastName: "Twonames" };
    await phone.use(verify, { ...said, firstName: "Bob", callingFor: "other" });
    expect(await phone.use(verify, { ...said, firstName: "Robert" })).toMatchObject(refused);
    expect(await t.phone(0).use(verify, { ...said, firstName: "Robert" })).toMatchObject({ ok: true });
  });

  it("is verified as themself beside, once it was said who the other one is, or if they were verified before", async () => {
    const [child, parent] = [await f!.childOf(9), await f!.patientOf(40)];
    const phone = t.phone(0);
    await phone.use(verify, { callingFor: "child" });
    await phone.use(verify, { ...child.claim, callingFor: "child" });
    expect(await phone.use(verify, { ...parent.claim, firstName: "Robin" })).toMatchObject({ ok: true });
    expect(await phone.use(verify, { callingFor: "other" })).toMatchObject({ ok: false });
    expect(await phone.use(verify, asSelf(parent))).toMatchObject({ ok: true });
    expect(await phone.use(verify, asSelf(child))).toMatchObject({ ok: false });

    const verified = t.phone(0);
    expect(await verified.use(verify, asSelf(parent))).toMatchObject({ ok: true });
    for (let sent = 0; sent < 2; sent++) expect(await verified.use(verify, { callingFor: "other" })).toMatchObject({ ok: false });
    expect(await verified.use(verify, asSelf(parent))).toMatchObject({ ok: true });
    await verified.use(verify, { ...child.claim, zipCode: "10099" });
    expect(await verified.use(verify, { callingFor: "other" })).toMatchObject({ ok: false });
    expect(await verified.use(verify, asSelf(parent))).toMatchObject({ ok: true });
    await verified.use(verify, { ...parent.claim, callingFor: "other" });
    expect(await verified.use(verify, asSelf(parent))).toMatchObject(refused);
  });

  it("is not verified as them by a claim that was checked at the same time", async () => {
    const patient = await f!.patientOf(40);
    for (const claimFor of [{ ...patient.claim, callingFor: "other" }, f!.asSam(patient)]) {
      const phone = t.phone(0);
      const ctx = t.context(0);
      const late = {
        ...ctx,
        openEhr: async (...args: Parameters<typeof ctx.openEhr>) => {
          await phone.use(verify, claimFor);
          return ctx.openEhr(...args);
        },
      };
      expect(await runTool(late, phone.call(verify, asSelf(patient)))).toMatchObject({ ok: false, code: "in_progress" });
      expect(await phone.state()).not.toHaveProperty("patientId");
      expect(await phone.use(verify, asSelf(patient))).toMatchObject(refused);
    }
  });

  it("by a first name that was said before and after another's whole name is not verified as someone of that name", async () => {
    const [first, second] = [await f!.patientOf(40), await f!.patientOf(41)];
    const phone = t.phone(0);
    for (const said of [{ firstName: "Robin" }, first.claim]) await phone.use(verify, { ...said, callingFor: "other" });
    const other = t.phone(0);
    for (const said of [{ firstName: "Robin" }, first.claim, { firstName: "Robin" }])
      await other.use(verify, { ...said, callingFor: "other" });
    expect(await phone.use(verify, asSelf(second))).toMatchObject({ ok: true });
    expect(await other.use(verify, asSelf(second))).toMatchObject(refused);
  });

  it("is verified as neither of two patients for whom they claimed to speak at the same time", async () => {
    const [patient, other, held] = [await f!.patientOf(40), await f!.patientOf(41), await f!.patientOf(42)];
    for (const one of [patient, held]) await f!.approve(one);
    await f!.flag(held);
    for (const [first, second] of [
      [patient, other],
      [held, other],
    ] as const) {
      const phone = t.phone(0);
      const ctx = t.context(0);
      const atOnce = {
        ...ctx,
        openEhr: async (...args: Parameters<typeof ctx.openEhr>) => {
          await phone.use(verify, { ...second.claim, callingFor: "other" });
          return ctx.openEhr(...args);
        },
      };
      await runTool(atOnce, phone.call(verify, f!.asSam(first)));
      for (const one of [first, second]) expect(await phone.use(verify, asSelf(one))).toMatchObject(refused);
    }
  });

  it.each(["the audit row", "the state of the call"])("is not verified as them where %s could not be written", async (lost) => {
    const patient = await f!.patientOf(40);
    const phone = t.phone(0);
    const ctx = t.context(0);
    let failures = 0;
    const once = (isLost: boolean) => {
      if (isLost && failures++ === 0) throw new AppError("unavailable", "injected");
    };
    const isState = (write: Parameters<typeof ctx.store.writeUnaudited>[0]) =>
      write.verb === "update" && "identityChecks" in (write.change.set ?? {});
    const failing: typeof ctx = {
      ...ctx,
      store: {
        ...ctx.store,
        commit: async (...args) => {
          once(lost === "the audit row");
          return ctx.store.commit(...args);
        },
        writeUnaudited: async (write) => {
          once(lost !== "the audit row" && isState(write));
          return ctx.store.writeUnaudited(write);
        },
      },
    };
    expect(await runTool(failing, phone.call(verify, f!.asSam(patient)))).toMatchObject({ code: "unavailable" });
    expect(await phone.use(verify, asSelf(patient))).toMatchObject(refused);
  });

  it("leaves no name or birth date in the call's state, and no more than one row's worth of claims", async () => {
    const patient = await f!.patientOf(40);
    const phone = t.phone(0);
    await phone.use(verify, { ...patient.claim, callingFor: "other" });
    expect(JSON.stringify(await phone.state(), (_key, value: unknown) => (value instanceof Set ? [...value] : value))).not.toMatch(
      new RegExp(`Robin|${patient.claim.dateOfBirth}`, "i"),
    );
    for (let at = 0; at < 40; at++)
      await phone.use(verify, { firstName: `Other${"abcdefghij"[at % 10]}${"abcd"[Math.floor(at / 10)]}`, callingFor: "other" });
    expect((await phone.state())?.proxyClaims?.size).toBe(32);
    expect(await phone.use(verify, asSelf(await f!.patientOf(50)))).toMatchObject(refused);
  });
});
