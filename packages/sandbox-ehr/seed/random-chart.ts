import type { Chart, Insurance, Prescription } from "./chart.ts";
import type { AllergenName, DrugName, MeasurementName, Problem } from "./codes.ts";
import { pick } from "./patients.ts";

interface Ailment {
  problem: Problem;
  drug?: DrugName;
  lab?: { test: MeasurementName; from: number; to: number };
}

const adultAilments: Ailment[] = [
  { problem: "diabetes", drug: "metformin", lab: { test: "a1c", from: 6.2, to: 9 } },
  { problem: "hypertension", drug: "lisinopril" },
  { problem: "cholesterol", drug: "atorvastatin", lab: { test: "totalCholesterol", from: 170, to: 250 } },
  { problem: "asthma", drug: "albuterol" },
  { problem: "reflux", drug: "omeprazole" },
  { problem: "hypothyroidism", drug: "levothyroxine", lab: { test: "tsh", from: 0.8, to: 6 } },
  { problem: "kneeArthritis", drug: "ibuprofen" },
  { problem: "migraine" },
  { problem: "depression", drug: "sertraline" },
];
const childAilments: Ailment[] = [
  { problem: "asthma", drug: "albuterol" },
  { problem: "eczema" },
  { problem: "hayFever", drug: "cetirizine" },
];
const pastAdult: Problem[] = ["bronchitis", "urinaryInfection", "strepThroat"];
const pastChild: Problem[] = ["earInfection", "strepThroat"];
const commonAllergens: AllergenName[] = ["penicillin", "sulfonamide", "peanut", "shellfish", "latex"];
const plans = ["Choice PPO", "Essential HMO", "Basic Care"];

export function randomChart(ageYears: number, random: () => number): Chart {
  const child = ageYears < 18;
  const between = (from: number, to: number) => from + random() * (to - from);
  const days = (from: number, to: number) => Math.round(between(from, to));
  const mostDays = Math.max(30, ageYears * 365);

  const count = Math.floor(random() * (child ? 2 : 1.5 + ageYears / 35));
  const ailments = shuffled(child ? childAilments : adultAilments, random).slice(0, count);
  const past = random() < 0.5 ? [pick(random, child ? pastChild : pastAdult)] : [];
  const treated = ailments.flatMap(({ drug }) => drug ?? []);
  const weightKg = child ? 8 + ageYears * 3.2 : between(55, 98);
  const visits = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => ({
    daysAgo: days(10, 60) + index * 100,
    systolic: days(child ? 92 : 108, child ? 112 : 148),
    diastolic: days(child ? 55 : 66, child ? 70 : 92),
    weightKg: Math.round((weightKg + between(-1.5, 1.5)) * 10) / 10,
    heartRate: days(child ? 75 : 60, child ? 105 : 90),
  }));
  return {
    problems: [
      ...ailments.map(({ problem }) => ({ problem, status: "active" as const, sinceDays: days(30, Math.min(mostDays, 4000)) })),
      ...past.map((problem) => ({ problem, status: "resolved" as const, sinceDays: days(60, 700) })),
    ],
    allergies:
      random() < 0.6
        ? "none known"
        : [{ allergen: pick(random, commonAllergens), reaction: pick(random, ["hives", "rash"] as const), high: random() < 0.2 }],
    visits,
    labs: ailments.flatMap(({ lab }) =>
      lab
        ? [30, 210].map((daysAgo) => ({
            test: lab.test,
            daysAgo: daysAgo + days(0, 60),
            value: Math.round(between(lab.from, lab.to) * 10) / 10,
          }))
        : [],
    ),
    prescriptions: [
      ...treated.map((drug) => prescription(drug, "active", days(20, 200), random)),
      ...(random() < 0.3 ? [prescription("amoxicillin", "completed", days(60, 500), random)] : []),
      ...(random() < 0.15 ? [prescription("amlodipine", "stopped", days(200, 600), random)] : []),
    ],
    ownMedicines: random() < 0.2 ? [{ drug: "cetirizine", sinceDays: days(30, 700) }] : [],
    insurance: insuranceOf(random),
    messages: [],
  };
}

function prescription(drug: DrugName, status: Prescription["status"], writtenDaysAgo: number, random: () => number): Prescription {
  return {
    drug,
    status,
    writtenDaysAgo,
    refills: status === "active" ? Math.floor(random() * 4) : 0,
    as: pick(random, ["code", "reference", "contained"] as const),
    filledDaysAgo: [Math.max(1, writtenDaysAgo - 1)],
  };
}

function insuranceOf(random: () => number): Insurance[] {
  const payer = Math.floor(random() * plans.length);
  const cover = {
    payer,
    plan: plans[payer]!,
    startedDaysAgo: 400 + Math.floor(random() * 900),
    copayDollars: pick(random, [0, 15, 25, 40]),
  };
  const chance = random();
  if (chance < 0.8) return [{ ...cover, status: "active" }];
  return chance < 0.93 ? [{ ...cover, status: "cancelled", endedDaysAgo: 20 + Math.floor(random() * 300) }] : [];
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
