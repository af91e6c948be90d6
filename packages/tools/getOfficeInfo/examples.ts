import type { Example } from "../sdk/define-tool.ts";
import { officeTopics } from "../nlu/office-topics.ts";
import type { Questions } from "../speech/questions.ts";
import type { Answer, Hours, Output } from "./schema.ts";

export const questions = {
  topic: { en: "What would you like to know about the office?", es: "¿Qué le gustaría saber del consultorio?" },
  location: { en: "Which of our offices do you mean?", es: "¿A cuál de nuestros consultorios se refiere?" },
} as const satisfies Questions;

const hours: Hours = {
  topic: "hours",
  today: "2026-11-25",
  isOpenNow: true,
  day: { date: "2026-11-25", isAsked: false, open: { opens: 540, closes: 1020 }, holiday: null },
  opensAt: null,
  week: ["Monday to Friday 9 AM to 5 PM", "Saturday and Sunday closed"],
  holidays: ["2026-11-26 Thanksgiving"],
  timeZone: "America/New_York",
};
const windows = [
  { opens: 540, closes: 720 },
  { opens: 780, closes: 1020 },
];
const withLunch = { opens: 540, closes: 1020, windows };
const thanksgiving = { date: "2026-11-26", isAsked: true, open: null, holiday: "Thanksgiving" };
const opensAt = "2026-11-27T14:00:00Z";
const at = { address: "12 Main Street, Springfield", directions: "Exit 4, across from Lake Park." };
const plans = ["Aetna", "Cigna", "Humana", "Medicare", "UnitedHealthcare"];

const answered: [situation: string, ...answers: Answer[]][] = [
  ["Open now", hours],
  ["Open later today", { ...hours, isOpenNow: false, opensAt: "2026-11-25T14:00:00Z" }],
  ["Closed now", { ...hours, isOpenNow: false, opensAt }],
  ["Open on the asked day", { ...hours, day: { date: "2026-11-27", isAsked: true, open: { opens: 540, closes: 720 }, holiday: null } }],
  ["Open until a break", { ...hours, day: { ...hours.day, open: withLunch }, left: windows }],
  [
    "Closed for a break",
    { ...hours, isOpenNow: false, day: { ...hours.day, open: withLunch }, left: windows.slice(1), opensAt: "2026-11-25T18:00:00Z" },
  ],
  ["Open on the asked day, with a break", { ...hours, day: { date: "2026-11-27", isAsked: true, open: withLunch, holiday: null } }],
  ["Closed for a holiday", { ...hours, day: thanksgiving, opensAt }],
  ["The address", { topic: "address", ...at, directions: null }],
  ["How to get there", { topic: "directions", ...at }],
  ["The phone number", { topic: "phone", text: "212 555 0100" }],
  ["The email address", { topic: "email", text: "front-desk@clinic.example" }],
  ["Parking", { topic: "parking", text: "Free parking behind Lake Park." }],
  ["Video visits", { topic: "telehealth", text: "Video visits on weekdays." }],
  ["After hours", { topic: "afterHours", text: "A nurse answers at 212 555 0199." }],
  ["All insurance plans", { topic: "insurance", lines: plans }],
  ["A plan on the list", { topic: "insurance", lines: plans, asked: ["Aetna"] }],
  ["A plan that is not on the list", { topic: "insurance", lines: plans, asked: [] }],
  ["Languages", { topic: "languages", lines: ["English", "Spanish"] }],
  ["A language on the list", { topic: "languages", lines: ["English", "Spanish"], asked: ["Spanish"] }],
  ["A language that is not on the list", { topic: "languages", lines: ["English"], asked: [] }],
  ["Prices without insurance", { topic: "selfPayPrices", lines: ["New patient visit: $180", "Flu shot: $40"] }],
  ["What to bring", { topic: "whatToBring", lines: ["A photo ID", "Insurance card"] }],
  ["A question of the office's own", { topic: "question", question: "Do you take walk-ins?", answer: "Yes, on weekdays until ten." }],
  ["Not known", { topic: "unknown", asked: null }],
  ...officeTopics.map((asked): [string, Answer] => [`Not known: ${asked}`, { topic: "unknown", asked }]),
];

const ownWords = new Set<Answer["topic"]>(["parking", "telehealth", "afterHours", "question"]);
const offices = ["Mockford North", "Mockford South"];

export const examples: readonly Example<Output>[] = [
  ...answered.map(([situation, ...answers]): Example<Output> => {
    const inOwnWords = answers.some(({ topic }) => ownWords.has(topic));
    return { situation, output: { office: null, answers }, ...(inOwnWords ? { inOwnWords } : {}) };
  }),
  { situation: "Of one of several offices", output: { office: "Mockford North", answers: [hours], isOfOne: true } },
  {
    situation: "Of one of several offices, in several sentences",
    output: { office: "Mockford North", answers: [hours, { topic: "address", ...at, directions: null }], isOfOne: true },
  },
  { situation: "Two offices differ", output: { office: null, answers: [], offices } },
  { situation: "No such office", output: { office: null, answers: [], offices, isUnknownOffice: true } },
];
