import type { Example } from "../sdk/define-tool.ts";
import type { Questions } from "../speech/questions.ts";
import type { Output } from "./schema.ts";

export const questions = {
  name: { en: "Which doctor are you looking for?", es: "¿A qué médico busca?" },
  specialty: { en: "What kind of doctor do you need?", es: "¿Qué tipo de médico necesita?" },
  location: { en: "Which of our locations would you like?", es: "¿En cuál de nuestras clínicas?" },
} as const satisfies Questions;

const larkmere = {
  ...{ name: "Dr. Amara Larkmere", gender: "female" as const },
  ...{ specialties: ["General Practice"], locations: ["Sampleton Main Clinic"] },
};

export const examples: readonly Example<Output>[] = [
  { situation: "One provider", output: { providers: [larkmere], more: 0 } },
  {
    situation: "Several providers, and more",
    output: {
      providers: [
        larkmere,
        {
          ...{ name: "Dr. Bela Dunstead", gender: "male" as const },
          ...{ specialties: ["Cardiology", "Internal Medicine"], locations: ["Mockford North", "Mockford South"] },
        },
        { name: "Dr. Cora Marlstead", specialties: ["Pediatrics"], locations: [] },
      ],
      more: 9,
    },
  },
  {
    situation: "A provider of whom only the name is known",
    output: { providers: [{ ...larkmere, specialties: [], locations: [] }], more: 0 },
  },
  { situation: "No woman among them", output: { providers: [larkmere], more: 0, instead: "female" } },
  { situation: "No man among them", output: { providers: [larkmere], more: 0, instead: "male" } },
  { situation: "Women and men are not told apart", output: { providers: [larkmere], more: 0, instead: "gender" } },
  { situation: "The usual doctor", output: { providers: [], more: 0, isUsual: true } },
  { situation: "No such provider", output: { providers: [], more: 0 } },
];
