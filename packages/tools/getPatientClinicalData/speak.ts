import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import { lowerCaseWords } from "../speech/speech-text.ts";
import { longestOf, maxSpoken } from "../speech/phrasing.ts";
import { type Allergy, categories, type Category, type Found, type Measurement, type Output } from "./schema.ts";
import { sayUnit } from "./units.ts";

const bounds: Readonly<Record<string, Bilingual>> = {
  "<": { en: "less than", es: "menos de" },
  "<=": { en: "at most", es: "como máximo" },
  ">": { en: "more than", es: "más de" },
  ">=": { en: "at least", es: "al menos" },
};

function sayValue({ name, value, unit = "", preliminary }: Measurement, phrasing: Phrasing): string {
  const over = phrasing.say({ en: "$1 over $2", es: "$1 sobre $2" });
  const said = value.replace(/^(\d+)\/(\d+)$/, over).replace(/^[<>]=?/, (bound) => `${phrasing.say(bounds[bound]!)} `);
  const state = preliminary && phrasing.say({ en: "(preliminary)", es: "(preliminar)" });
  return [phrasing.record(name), said, sayUnit(unit, phrasing), state].filter(Boolean).join(" ");
}

/** A date common to all is spoken once. */
function measurements(all: Measurement[], most: number, phrasing: Phrasing): string {
  const { list, when } = phrasing;
  const [date, ...others] = new Set(all.map((one) => one.date));
  if (others.length === 0)
    return (
      list(
        all.map((one) => sayValue(one, phrasing)),
        { most },
      ) + (date ? `, ${when(date)}` : "")
    );
  return list(
    all.map((one) => (one.date ? `${sayValue(one, phrasing)} ${when(one.date)}` : sayValue(one, phrasing))),
    { most },
  );
}

function allergy({ to, reactions }: Allergy, { say, list, record }: Phrasing): string {
  const name = lowerCaseWords(record(to));
  const caused = list(
    reactions.map((one) => lowerCaseWords(record(one))),
    { most: 2 },
  );
  return caused ? say({ en: `${name}, which caused ${caused}`, es: `${name}, que le causó ${caused}` }) : name;
}

type CategoryWords = { name: Bilingual; begin: Bilingual; nothing: Bilingual };

const words: Record<Category, CategoryWords> = {
  conditions: {
    name: { en: "conditions", es: "sus diagnósticos" },
    begin: { en: "Active conditions on file:", es: "Diagnósticos activos en su expediente:" },
    nothing: { en: "I don't see any active conditions on file.", es: "No veo diagnósticos activos en su expediente." },
  },
  allergies: {
    name: { en: "allergies", es: "sus alergias" },
    begin: { en: "Allergies on file:", es: "Alergias en su expediente:" },
    nothing: { en: "I don't see any allergies on file.", es: "No veo alergias en su expediente." },
  },
  vitals: {
    name: { en: "vital signs", es: "sus signos vitales" },
    begin: { en: "Latest vital signs:", es: "Últimos signos vitales:" },
    nothing: { en: "I don't see any vital signs on file.", es: "No veo signos vitales en su expediente." },
  },
  labs: {
    name: { en: "lab results", es: "sus resultados de laboratorio" },
    begin: { en: "Latest lab results:", es: "Últimos resultados de laboratorio:" },
    nothing: { en: "I don't see any lab results on file.", es: "No veo resultados de laboratorio en su expediente." },
  },
  medications: {
    name: { en: "medications", es: "sus medicamentos" },
    begin: { en: "Active medications on file:", es: "Medicamentos activos en su expediente:" },
    nothing: { en: "I don't see any active medications on file.", es: "No veo medicamentos activos en su expediente." },
  },
};

/** undefined for a category that was not read. */
function itemsOf(category: Category, found: Found, phrasing: Phrasing): { count: number; items(most: number): string } | undefined {
  const { list, record } = phrasing;
  const listed = (all: string[] | undefined) => all && { count: all.length, items: (most: number) => list(all, { most }) };
  const measured = (all: Measurement[] | undefined) =>
    all && { count: all.length, items: (most: number) => (all.length === 0 ? "" : measurements(all, most, phrasing)) };
  switch (category) {
    case "conditions":
      return listed(found.conditions?.map(record));
    case "allergies":
      return listed(found.allergies?.map((one) => allergy(one, phrasing)));
    case "vitals":
      return measured(found.vitals);
    case "labs":
      return measured(found.labs);
    case "medications":
      return listed(found.medications?.map(({ name }) => record(name)));
  }
}

function sayCategory(category: Category, found: Found, phrasing: Phrasing): string | undefined {
  const { say, record } = phrasing;
  const { noKnownAllergies } = found;
  if (category === "allergies" && noKnownAllergies)
    return say({ en: `The record says: ${noKnownAllergies}.`, es: `El expediente dice: ${record(noKnownAllergies)}.` });
  const read = itemsOf(category, found, phrasing);
  if (!read) return undefined;
  if (read.count === 0) return say(words[category].nothing);
  return longestOf(Math.min(read.count, maxSpoken), (most) => `${say(words[category].begin)} ${read.items(most)}.`);
}

/** One category at a time; the caller says whether to go on with the next. */
export function speak({ missing, notSupported, labsFirst, ...found }: Output, phrasing: Phrasing): string {
  const { say, list } = phrasing;
  const names = (all: Category[]): string =>
    list(
      all.map((one) => say(words[one].name)),
      { most: all.length },
    );
  const inOrder = labsFirst ? (["labs", ...categories.filter((one) => one !== "labs")] as const) : categories;
  const said = inOrder.flatMap((category) => {
    const text = sayCategory(category, found, phrasing);
    return text === undefined ? [] : [{ category, text }];
  });
  const [first, next] = said;
  const goOn = next && say(words[next.category].name);
  return [
    first?.text,
    missing.length > 0 &&
      say({ en: `I couldn't look up your ${names(missing)} just now.`, es: `En este momento no pude ver ${names(missing)}.` }),
    notSupported.length > 0 &&
      say({
        en: `I can't look up your ${names(notSupported)} in the clinic's record system.`,
        es: `No puedo ver ${names(notSupported)} en el sistema de la clínica.`,
      }),
    goOn && say({ en: `Shall I go on with your ${goOn}?`, es: `¿Sigo con ${goOn}?` }),
  ]
    .filter(Boolean)
    .join(" ");
}
