import type { ContactPoint, Patient } from "fhir/r4.js";
import * as z from "zod/mini";
import { defineTool, patientOf } from "../define-tool.ts";

const Output = z.object({
  firstName: z.string(),
  lastName: z.string(),
  /** The last two digits. */
  phoneEndsIn: z.nullable(z.string()),
  /** The first letter. */
  emailStartsWith: z.nullable(z.string()),
});

export const getPatientInfo = defineTool({
  name: "getPatientInfo",
  description:
    "Look up the verified caller's own basic record: the name on file and which phone number and email address are on file, masked. Works only after verifyPatientIdentity.",
  input: z.object({}),
  output: Output,
  effect: "read",
  level: 1,
  patientRecord: true,
  scopes: ["system/Patient.rs"],
  annotations: { title: "Get patient information", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(run) {
    const patientId = patientOf(run);
    const patient = await run.chart();
    const { given = [], family = "" } = patient.name?.find(({ use }) => use === "official") ?? patient.name?.[0] ?? {};
    return {
      patientId,
      // The caller has said no more than this, so no more is told.
      output: {
        firstName: given[0] ?? "",
        lastName: family,
        phoneEndsIn: ending(contact(patient, "phone")),
        emailStartsWith: contact(patient, "email")?.trim().slice(0, 1).toUpperCase() || null,
      },
    };
  },
  speak: ({ firstName, lastName, phoneEndsIn, emailStartsWith }) => {
    const known = [
      ...(phoneEndsIn ? [`a phone number ending in ${phoneEndsIn}`] : []),
      ...(emailStartsWith ? [`an email address starting with the letter ${emailStartsWith}`] : []),
    ];
    const name = `${firstName} ${lastName}`.trim();
    return known.length > 0
      ? `I have the record of ${name} here, with ${known.join(" and ")} on file.`
      : `I have the record of ${name} here, without a phone number or email address on file.`;
  },
});

const contact = ({ telecom = [] }: Patient, system: ContactPoint["system"]): string | undefined =>
  telecom.find((one) => one.system === system && one.use !== "old" && one.value)?.value;
const ending = (phone: string | undefined): string | null => phone?.replace(/\D/g, "").slice(-2) || null;
