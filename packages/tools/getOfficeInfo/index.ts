import type { OfficeRow } from "@vitaline/store";
import { defineTool } from "../sdk/define-tool.ts";
import type { Run, RunResult } from "../sdk/run.ts";
import { answersTo, knownTopics } from "./answers.ts";
import { type Answer, Input, Output } from "./schema.ts";
import { examples, questions } from "./examples.ts";
import { speak } from "./speak.ts";
import { activeOffices } from "../sdk/call-office.ts";
import { matchesPlace } from "../nlu/who/read-place.ts";

/** `offices`: those among which the caller has to choose; `all`: of the tenant; `isUnknown`: none has the name. */
type Choice = {
  office?: OfficeRow | undefined;
  offices: readonly OfficeRow[];
  all: readonly OfficeRow[];
  isUnknown?: true;
};

const matches = ({ name, address }: OfficeRow, said: string): boolean => matchesPlace([name, address], said);

/** The named office, else the called one, else the tenant's only one. One read. */
async function chooseOffice(run: Run, location: string | undefined): Promise<Choice> {
  const all = await activeOffices(run);
  const { officeId } = run.call;
  if (location === undefined && officeId !== undefined) return { office: all.find(({ id }) => id === officeId), offices: [], all };
  const [only, ...others] = all;
  // A tenant with one office has no other.
  if (others.length === 0) return { office: only, offices: [], all };
  if (location === undefined) return { offices: all, all };
  const named = all.filter((office) => matches(office, location));
  if (named.length === 1) return { office: named[0], offices: [], all };
  return named.length === 0 ? { offices: all, all, isUnknown: true } : { offices: named, all };
}

/** Enough to know it by. */
const maxName = 60;

export const getOfficeInfo = defineTool({
  name: "getOfficeInfo",
  description: [
    "Answer any caller's question about the office: hours, holidays, address, directions, parking, insurance taken, self-pay prices,",
    "what to bring, languages, telehealth, after hours, and more. Needs no verification. Say only what it answers; offer what it",
    "can't to the staff: logRoutingEvent, outcome callback.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: 0,
  patientRecord: false,
  scopes: [],
  requests: [],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: tellAboutOffice,
  speak,
  questions,
  examples,
});

async function tellAboutOffice(run: Run, { topic, location }: Input): Promise<RunResult<Output>> {
  const { tenant, ctx } = run;
  const now = ctx.clock();
  const { office, offices, all, isUnknown } = await chooseOffice(run, location);
  const placeOf = (one: OfficeRow | undefined) => ({ tenant, office: one, now });
  const answers = isUnknown ? [] : sameAnswers(offices.length > 0 ? offices : [office], (one) => answersTo(placeOf(one), topic));
  if (!answers || isUnknown) {
    const names = offices.map(({ name }) => name);
    return { output: { office: null, answers: [], offices: names, ...(isUnknown ? { isUnknownOffice: true } : {}) } };
  }
  const isKnown = answers.some((one) => one.topic !== "unknown");
  const isOfOne = office !== undefined && all.length > 1 && isKnown && !sameAnswers(all, (one) => answersTo(placeOf(one), topic));
  const isIncomplete = topic === undefined || answers.some((one) => one.topic === "unknown");
  return {
    output: {
      office: office?.name.slice(0, maxName) ?? null,
      answers,
      ...(isOfOne ? { isOfOne } : {}),
      ...(isIncomplete ? { otherTopics: knownTopics(placeOf(office), answers) } : {}),
    },
    detail: { action: answers[0]?.topic ?? "unknown" },
  };
}

/** undefined if the offices differ. */
function sameAnswers(
  offices: readonly (OfficeRow | undefined)[],
  answer: (office: OfficeRow | undefined) => Answer[],
): Answer[] | undefined {
  const [first = [], ...others] = offices.map(answer);
  return others.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : undefined;
}
