import { maxModelCharacters } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { create, keys, remove, update, type OfficeRow, type TenantRow } from "@vitaline/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelAnswer, runTool } from "../index.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
const tool = "getOfficeInfo";
const configured = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
const [lake, hill, closed] = [newId(), newId(), newId()];
const office = (id: string, row: Partial<OfficeRow>) =>
  create(keys.office(id), { id, name: id, isActive: true, createdAt: new Date().toISOString(), ...row });

beforeAll(async () => {
  t = await startTools();
  const tenantFacts = { parking: "Free parking at all our offices.", insurance: ["Aetna"], afterHours: "A nurse answers at 617 555 0199." };
  await t
    .context(0)
    .store.commit(
      [
        update<TenantRow>(keys.tenantConfig(), { set: { facts: tenantFacts }, remove: ["fhirProviderId"] }),
        office(lake, { name: "Lake Avenue Office", address: "80 Lake Avenue, Shelbyville", facts: { insurance: ["Cigna"] } }),
        office(hill, { name: "Hill Office", address: "4 Hill Road, Springfield", facts: { telehealth: "On Fridays." } }),
        office(closed, { name: "Old Office", isActive: false, address: "1 Old Street" }),
      ],
      configured,
    );
}, 60_000);
afterAll(() => t.close());

const ask = (args: object, { which = 0, officeId }: { which?: 0 | 1; officeId?: string } = {}) => {
  const phone = t.phone(which);
  const call = { ...phone.call(tool, args), ...(officeId ? { officeId } : {}) };
  return { callKey: phone.callKey, send: () => runTool(t.context(which), call) };
};
const speechOf = async (...args: Parameters<typeof ask>) => (await ask(...args).send()).speech;

describe("getOfficeInfo", () => {
  it("answers any caller without a record system, in one read more than a call takes, and is audited without the caller's words", async () => {
    const { send, callKey } = ask({ topic: "Where do I park my Zamboni?" }, { officeId: lake });
    const { answer, requests } = await t.cost(send);
    expect(answer).toMatchObject({ ok: true, speech: "Free parking at all our offices.", output: { office: "Lake Avenue Office" } });
    expect(requests).toEqual(["BatchGetItem", "Query", "PutItem"]);
    const audits = await t.audits(0, callKey);
    expect(audits).toMatchObject([{ action: `tool.${tool}`, success: true, detail: { action: "parking" } }]);
    expect(JSON.stringify(audits)).not.toMatch(/Zamboni/i);
  });

  it("tells what the called office has set, else what the tenant has", async () => {
    expect(await speechOf({ topic: "do you take Cigna" }, { officeId: lake })).toBe(
      "At the Lake Avenue Office: Yes, Cigna is on our list of insurance.",
    );
    expect(await speechOf({ topic: "do you take Aetna" }, { officeId: lake })).toMatch(
      /^At the Lake Avenue Office: I don't see that plan on our list/,
    );
    expect(await speechOf({ topic: "do you take Aetna" }, { officeId: hill })).toBe(
      "At the Hill Office: Yes, Aetna is on our list of insurance.",
    );
    expect(await speechOf({ topic: "where are you" }, { officeId: hill })).toBe("At the Hill Office: We're at 4 Hill Road, Springfield.");
    expect(await speechOf({ topic: "¿dónde están?", language: "es" }, { officeId: hill })).toBe(
      "En Hill Office: Estamos en 4 Hill Road, Springfield.",
    );
  });

  it("tells of another office by its name or its town, and asks which one where none or several are meant", async () => {
    for (const location of ["Hill", "the hill office", "Springfield"])
      expect(await speechOf({ topic: "address", location }, { officeId: lake })).toBe(
        "At the Hill Office: We're at 4 Hill Road, Springfield.",
      );
    expect(await speechOf({ topic: "address", location: "Old" }, { officeId: lake })).toBe(
      "I don't see an office by that name. We have Lake Avenue Office and Hill Office. Which one do you mean?",
    );
    expect(await speechOf({ topic: "address" })).toBe("Which office do you mean: Lake Avenue Office or Hill Office?");
    expect(await speechOf({ topic: "¿dónde están?", language: "es" })).toBe(
      "¿A qué consultorio se refiere: Lake Avenue Office o Hill Office?",
    );
  });

  it("does not ask which office where all would answer the same", async () => {
    expect(await ask({ topic: "after hours" }).send()).toMatchObject({
      speech: "A nurse answers at 617 555 0199.",
      output: { office: null, answers: [{ topic: "afterHours" }] },
    });
  });

  it("offers a question it cannot answer to the staff, and names to the model what it can", async () => {
    const { ok, speech, output } = await ask({ topic: "telehealth" }, { officeId: lake }).send();
    expect([ok, speech]).toEqual([true, "I don't have that information. Would you like me to take your question for the staff?"]);
    expect(output).toMatchObject({ answers: [{ topic: "unknown", asked: "telehealth" }] });
    expect((output as { otherTopics: string[] }).otherTopics).toEqual(expect.arrayContaining(["hours", "address", "parking", "insurance"]));
  });

  it("knows nothing of another tenant's facts", async () => {
    for (const officeId of [lake, undefined])
      expect((await ask({ topic: "parking" }, { which: 1, ...(officeId ? { officeId } : {}) }).send()).output).toMatchObject({
        answers: [{ topic: "unknown", asked: "parking" }],
      });
  });

  it("gives the model the whole of a fact of any length that an office can have", async () => {
    const text = "A word and another. ".repeat(20).slice(0, 399).trim();
    const lines = Array.from({ length: 24 }, (_, at) => `Insurance plan "${at}" xx`.padEnd(25, "x"));
    const long = newId();
    const facts = { parking: text, directions: text, insurance: lines, questions: [{ question: "Is it far?", answer: text }] };
    await t.context(0).store.commit([office(long, { name: "N".repeat(200), address: "A".repeat(300), facts })], configured);
    for (const topic of ["parking", "address", "directions", "insurance", "is it far", "hours"]) {
      const answer = modelAnswer(await ask({ topic }, { officeId: long }).send());
      expect([topic, answer.isPartial]).toEqual([topic, undefined]);
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(maxModelCharacters);
      expect(answer.data).toBeDefined();
    }
    await t.context(0).store.commit([remove(keys.office(long))], configured);
  });
});
