import {
  type FactList,
  factLists,
  type FactText,
  factTexts,
  type Holiday,
  type OfficeFacts,
  type OfficeQuestion,
} from "@vitaline/contract";

/** Lists have one item per line. An unset fact is "". */
export type FactsValues = Record<FactText | FactList, string> & { holidays: Holiday[]; questions: OfficeQuestion[] };

export const factsValues = (facts: OfficeFacts | undefined): FactsValues => ({
  ...(Object.fromEntries(factTexts.map((name) => [name, facts?.[name] ?? ""])) as Record<FactText, string>),
  ...(Object.fromEntries(factLists.map((name) => [name, facts?.[name].join("\n") ?? ""])) as Record<FactList, string>),
  holidays: facts?.holidays ?? [],
  questions: facts?.questions ?? [],
});

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
const linesOf = (text: string): string[] => text.split("\n").map(oneLine).filter(Boolean);

/** The request's facts. */
export const factsOf = ({ holidays, questions, ...texts }: FactsValues) => ({
  ...(Object.fromEntries(factTexts.map((name) => [name, oneLine(texts[name])])) as Record<FactText, string>),
  ...(Object.fromEntries(factLists.map((name) => [name, linesOf(texts[name])])) as Record<FactList, string[]>),
  holidays: holidays.map(({ date, name }) => ({ date, name })),
  questions: questions.map(({ question, answer }) => ({ question, answer: oneLine(answer) })),
});
