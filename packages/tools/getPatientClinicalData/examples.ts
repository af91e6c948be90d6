import type { Example } from "../sdk/define-tool.ts";
import type { Questions } from "../speech/questions.ts";
import { categories, type Output } from "./schema.ts";

export const questions = {
  categories: {
    en: "Would you like your conditions, allergies, vital signs, lab results or medications?",
    es: "¿Desea sus diagnósticos, alergias, signos vitales, resultados de laboratorio o medicamentos?",
  },
} as const satisfies Questions;

const none = { missing: [], notSupported: [] };
const whole: Output = {
  ...none,
  conditions: ["Type 2 diabetes", "Hypertension"],
  allergies: [
    { to: "Penicillin", reactions: ["Hives", "Nausea"] },
    { to: "Peanut", reactions: [] },
  ],
  vitals: [
    { name: "Blood pressure", value: "128/82", unit: "mmHg", date: "2026-10-03" },
    { name: "Heart rate", value: "72", unit: "bpm", date: "2026-10-03" },
    { name: "Body weight", value: "81", unit: "kg", date: "2026-10-03" },
  ],
  labs: [
    { name: "Hemoglobin A1c", value: "6.9", unit: "%", date: "2026-09-20" },
    { name: "Cholesterol", value: "190", unit: "mg/dL", date: "2026-03" },
  ],
  medications: [{ name: "Metformin 500 mg", dosage: "One tablet twice a day" }, { name: "Lisinopril 10 mg" }],
};
const only = (part: Partial<Output>): Output => ({ ...none, ...part });

export const examples: readonly Example<Output>[] = [
  { situation: "Everything was asked for", output: whole },
  { situation: "Results were asked for, among all", output: { ...whole, labsFirst: true } },
  { situation: "Conditions", output: only({ conditions: whole.conditions }) },
  { situation: "Allergies", output: only({ allergies: whole.allergies }) },
  { situation: "No known allergies", output: only({ allergies: [], noKnownAllergies: "No known allergies" }) },
  { situation: "Vital signs", output: only({ vitals: whole.vitals }) },
  { situation: "Lab results", output: only({ labs: whole.labs }) },
  {
    situation: "A preliminary result, and a bound",
    output: only({
      labs: [
        { name: "Blood culture", value: "No growth", date: "2026-09-20", preliminary: true },
        { name: "Troponin", value: "<0.01", unit: "ng/mL", date: "2026-09-20" },
      ],
    }),
  },
  { situation: "Medications", output: only({ medications: whole.medications }) },
  { situation: "No conditions", output: only({ conditions: [] }) },
  { situation: "No allergies", output: only({ allergies: [] }) },
  { situation: "No vital signs", output: only({ vitals: [] }) },
  { situation: "No lab results", output: only({ labs: [] }) },
  { situation: "No medications", output: only({ medications: [] }) },
  ...categories.map((one) => ({ situation: `Not read in time: ${one}`, output: only({ missing: [one] }) })),
  ...categories.map((one) => ({ situation: `The record system has none: ${one}`, output: only({ notSupported: [one] }) })),
];
