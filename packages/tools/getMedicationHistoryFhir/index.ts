import { defineTool } from "../sdk/define-tool.ts";
import { examples, questions } from "./examples.ts";
import { Input, type Medication, Output } from "./schema.ts";
import { speak } from "./speak.ts";
import { patientIdOf } from "../patient/chart.ts";
import type { RunResult, Run } from "../sdk/run.ts";
import { recordedDay, spokenLine } from "../speech/speech-text.ts";
import { normalizeName } from "../nlu/names.ts";
import { fillsOf } from "./fills.ts";
import { dosageOf } from "../patient/medications.ts";
import { readRecord } from "./read-record.ts";

export const getMedicationHistoryFhir = defineTool({
  name: "getMedicationHistoryFhir",
  description: [
    "Read the verified caller's own medications: prescriptions with dosage, prescriber, last fill and refills left as far as the record says",
    "so, and what else they take. For a refill, find the active prescription here, then pass the wish to the office with",
    "sendCommunicationFhir (category refill_request); never promise that a refill will be given. Needs verifyPatientIdentity with two",
    "matching details first.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: 2,
  patientRecord: true,
  scopes: ["system/Patient.rs", "system/MedicationRequest.rs", "system/Medication.rs"],
  optionalScopes: ["system/MedicationStatement.rs", "system/MedicationDispense.rs"],
  requests: ["read Patient", "search MedicationRequest", "search MedicationStatement", "search MedicationDispense"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: history,
  speak,
  questions,
  examples,
});

const maxListed = 10;

/** Active medications first, then the newest. */
async function history(run: Run, { medicationName, activeOnly = false }: Input): Promise<RunResult<Output>> {
  const { orders, statements, fills, isEveryFill, missing, nameOf } = await readRecord(run, { activeOnly });
  const { timeZone } = run;
  const filled = fillsOf(fills, isEveryFill, nameOf, { timeZone, now: run.ctx.clock() });
  const prescribed = orders.map((one) =>
    withoutUndefined({
      name: nameOf(one),
      status: one.status,
      source: "prescribed",
      dosage: dosageOf(one.dosageInstruction),
      prescriber: spokenLine(one.requester?.display),
      authoredOn: recordedDay(one.authoredOn, timeZone),
      ...filled(one),
    }),
  );
  const reported = statements.map((one) =>
    withoutUndefined({
      name: nameOf(one),
      status: one.status,
      source: "reported",
      dosage: dosageOf(one.dosage),
      authoredOn: recordedDay(one.effectiveDateTime ?? one.effectivePeriod?.start ?? one.dateAsserted, timeZone),
    }),
  );
  const names = (all: readonly Medication[]): Set<string> => new Set(all.map(({ name }) => normalizeName(name)));
  const [everPrescribed, prescribedNow] = [names(prescribed), names(prescribed.filter(({ status }) => status === "active"))];
  // A medication that is taken now is told even if it was once prescribed
  const isTold = ({ name, status }: Medication): boolean =>
    !(status === "active" ? prescribedNow : everPrescribed).has(normalizeName(name));
  const known = [...prescribed, ...reported.filter(isTold)]
    .filter(({ name }) => matchesName(name, medicationName))
    .toSorted(activeThenNewest);
  return {
    patientId: patientIdOf(run),
    output: {
      ...(medicationName ? { asked: medicationName } : {}),
      activeOnly,
      medications: known.slice(0, maxListed),
      more: Math.max(0, known.length - maxListed),
      missing,
    },
  };
}

const withoutUndefined = (medication: Medication): Medication =>
  Object.fromEntries(Object.entries(medication).filter(([, value]) => value !== undefined)) as Medication;

const activeThenNewest = (a: Medication, b: Medication): number =>
  Number(b.status === "active") - Number(a.status === "active") ||
  Number(b.source === "prescribed") - Number(a.source === "prescribed") ||
  (b.authoredOn ?? "").localeCompare(a.authoredOn ?? "");

/** Every spoken word starts a word of the name, or all of them joined occur in it: "met formin" matches "Metformin 500 MG". */
function matchesName(name: string, asked: string | undefined): boolean {
  const [known, wanted] = [normalizeName(name), normalizeName(asked ?? "")];
  if (wanted === "") return asked === undefined;
  const words = known.split(" ");
  return (
    wanted.split(" ").every((word) => words.some((one) => one.startsWith(word))) ||
    known.replaceAll(" ", "").includes(wanted.replaceAll(" ", ""))
  );
}
