import type { Example } from "../sdk/define-tool.ts";
import type { Questions } from "../speech/questions.ts";
import type { Medication, Output } from "./schema.ts";

export const questions = {
  medicationName: { en: "Which medication do you mean?", es: "¿A qué medicamento se refiere?" },
  activeOnly: { en: "Do you mean what you take now?", es: "¿Se refiere a lo que toma actualmente?" },
} as const satisfies Questions;

const metformin: Medication = {
  ...{ name: "Metformin 500 mg", status: "active", source: "prescribed", dosage: "One tablet twice a day." },
  ...{ prescriber: "Dr. Amara Larkmere", authoredOn: "2026-06-01", lastFilled: "2026-10-03", refillsLeft: 2 },
};
const lisinopril: Medication = { name: "Lisinopril 10 mg", status: "active", source: "prescribed", lastFilled: "2026-09" };
const amoxicillin: Medication = { name: "Amoxicillin 500 mg", status: "completed", source: "prescribed" };
const ibuprofen: Medication = { name: "Ibuprofen", status: "active", source: "reported" };
const warfarin: Medication = { name: "Warfarin 5 mg", status: "stopped", source: "reported" };

const common = { activeOnly: false, more: 0, missing: [] };

export const examples: readonly Example<Output>[] = [
  { situation: "One active prescription", output: { ...common, medications: [metformin] } },
  { situation: "The last refill", output: { ...common, medications: [{ ...metformin, refillsLeft: 1 }] } },
  { situation: "No refills left", output: { ...common, asked: "metformin", medications: [{ ...metformin, refillsLeft: 0 }] } },
  { situation: "One active prescription, and others", output: { ...common, medications: [lisinopril, amoxicillin, ibuprofen] } },
  {
    situation: "Several active prescriptions",
    output: { ...common, medications: [metformin, lisinopril, { ...lisinopril, name: "Aspirin 81 mg" }] },
  },
  { situation: "More than can be listed", output: { ...common, more: 4, medications: [metformin, lisinopril] } },
  { situation: "None active", output: { ...common, medications: [amoxicillin, ibuprofen] } },
  { situation: "The named one is not active", output: { ...common, asked: "amoxicillin", medications: [amoxicillin] } },
  { situation: "No such medication", output: { ...common, asked: "aspirin", medications: [] } },
  { situation: "No medications", output: { ...common, medications: [] } },
  { situation: "Not everything could be read", output: { ...common, medications: [lisinopril], missing: ["reported", "fills"] } },
  { situation: "More prescriptions than are read", output: { ...common, asked: "insulin", medications: [], missing: ["prescribed"] } },
  { situation: "A reported one that was stopped", output: { ...common, asked: "warfarin", medications: [warfarin] } },
];
