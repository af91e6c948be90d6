import { awaitAllThenThrow } from "@vitaline/core";
import type { Communication, Patient } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type EhrServer } from "./platform.fixture.ts";
import { startTools, type Tools } from "./tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

type Outcome = "done" | "ehr_unsupported";
const [done, unsupported] = ["done", "ehr_unsupported"] as const;
const expected: [EhrServer["personality"], EhrServer["version"], created: Outcome, updated: Outcome, sent: Outcome][] = [
  ["plain", "STU3", done, done, done],
  ["plain", "DSTU2", done, done, done],
  ["readonly", "R4", unsupported, unsupported, unsupported],
  ["epic-like", "R4", done, unsupported, done],
  ["epic-like", "STU3", done, unsupported, done],
  ["epic-like", "DSTU2", unsupported, unsupported, unsupported],
  ["cerner-like", "R4", done, done, done],
  ["cerner-like", "DSTU2", done, done, done],
];

describe("writes to a patient's record", () => {
  it.each(expected)("at a %s server of %s: create %s, update %s, message %s", async (personality, version, ...wanted) => {
    await connect(t.platform.ctx, t.platform.clinics[0], { personality, version });
    const lastName = `Newcome${personality}${version}`.replaceAll(/[^a-z]/gi, "");
    const phoneNumber = `+16175550${160 + expected.findIndex((one) => one[0] === personality && one[1] === version)}`;
    const { given, family, birthDate, zip } = t.patients[0]!;
    const caller = t.phone(0);
    const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, zipCode: zip, email: `${given}.${family}@example.com` };
    expect(await caller.use("verifyPatientIdentity", claim)).toMatchObject({ output: { level: 2 } });
    const newcomer = { firstName: "Zuleika", lastName, dateOfBirth: "1985-03-14", phoneNumber: "617 555 0142", gender: "female" };
    const answers = [
      await t.phone(0).use("createPatientFhir", newcomer),
      await caller.use("updatePatientFhir", { phoneNumber, street: `${phoneNumber.slice(-2)} Elm Road` }),
      await caller.use("sendCommunicationFhir", { category: "refill_request", message: `Two tablets are left, ${lastName}` }),
    ];
    expect(answers.map(({ ok, code }) => (ok ? done : code))).toEqual(wanted);

    const ehr = await t.ehr(0);
    const patientId = (await caller.state())?.patientId ?? "";
    const [found, chart] = await awaitAllThenThrow([
      ehr.search<Patient>("Patient", { family: lastName, given: "Zuleika", birthdate: "1985-03-14" }),
      ehr.read<Patient>("Patient", patientId),
    ]);
    expect(found.filter(({ name }) => name?.[0]?.family === lastName)).toHaveLength(wanted[0] === done ? 1 : 0);
    expect(chart.telecom?.some(({ value, use }) => use !== "old" && value === phoneNumber)).toBe(wanted[1] === done);
    if (wanted[2] !== done) return;
    const messages = await ehr.search<Communication>("Communication", { subject: `Patient/${patientId}` });
    const isToStaff = personality === "cerner-like";
    const textOf = ({ payload: [part] = [] }: Communication) =>
      part?.contentString ?? Buffer.from(part?.contentAttachment?.data ?? "", "base64").toString("utf8");
    expect(messages.filter((message) => textOf(message).includes(lastName))).toMatchObject([
      {
        status: "completed",
        subject: { reference: `Patient/${patientId}` },
        payload: [
          isToStaff ? { contentAttachment: { contentType: "text/plain" } } : { contentString: expect.stringContaining("Two tablets") },
        ],
        ...(isToStaff ? { recipient: [{ reference: expect.stringMatching(/^Practitioner\//) }] } : {}),
      },
    ]);
  });
});
