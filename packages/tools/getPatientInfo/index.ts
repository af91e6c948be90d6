import { AppError } from "@vitaline/core";
import type { ContactPoint, HumanName, Patient } from "fhir/r4.js";
import * as z from "zod/mini";
import { defineTool } from "../sdk/define-tool.ts";
import { patientIdOf } from "../patient/chart.ts";
import { spokenLine } from "../speech/speech-text.ts";
import { examples, Output, speak } from "./speak.ts";
import { isCurrent } from "../patient/person.ts";

export const getPatientInfo = defineTool({
  name: "getPatientInfo",
  description:
    "Look up the verified caller's own basic record: the name on file and which phone number and email address are on file, masked. Works only after verifyPatientIdentity.",
  input: z.object({}),
  output: Output,
  effect: "read",
  level: 1,
  patientRecord: true,
  matter: "basics",
  scopes: ["system/Patient.rs"],
  requests: ["read Patient"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(run) {
    const patientId = patientIdOf(run);
    if (!(await run.ehr.capability({ signal: run.signal })).supports("Patient", "read"))
      throw new AppError("ehr_unsupported", "The record system cannot read patients.");
    const patient = await run.chart();
    const now = run.ctx.clock();
    const { given = [], family } = currentName(patient, now);
    return {
      patientId,
      output: {
        firstName: spokenLine(given[0]) ?? "",
        lastName: spokenLine(family) ?? "",
        phoneEndsIn: ending(contact(patient, "phone", now)),
        emailStartsWith: contact(patient, "email", now)?.trim().slice(0, 1).toUpperCase() || null,
      },
    };
  },
  speak,
  questions: {},
  examples,
});

const currentName = ({ name = [] }: Patient, now: Date): Partial<HumanName> => {
  const current = name.filter((one) => one.use !== "maiden" && isCurrent(one, now));
  return current.find(({ use }) => use === "official") ?? current[0] ?? name[0] ?? {};
};
const contact = ({ telecom = [] }: Patient, system: ContactPoint["system"], now: Date): string | undefined =>
  telecom.find((one) => one.system === system && isCurrent(one, now) && one.value)?.value;
const ending = (phone: string | undefined): string | null => phone?.replace(/\D/g, "").slice(-2) || null;
