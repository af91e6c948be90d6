import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import { lowerCaseWords } from "../speech/speech-text.ts";
import { longestOf, maxSpoken } from "../speech/phrasing.ts";
import type { Medication, Output } from "./schema.ts";

/** The dosage is said as recorded. */
function details({ name, dosage, prescriber }: Medication, phrasing: Phrasing): string {
  const by = prescriber && phrasing.name(prescriber);
  return [
    phrasing.record(name),
    by && phrasing.say({ en: `prescribed by ${by}`, es: `recetado por ${by}` }),
    dosage && lowerCaseWords(dosage.replace(/\.$/, "")),
  ]
    .filter(Boolean)
    .join(", ");
}

function refillsIn(left: number): Bilingual {
  if (left === 0) return { en: "no refills left", es: "ya no le quedan resurtidos" };
  if (left === 1) return { en: "one refill left", es: "le queda un resurtido" };
  return { en: `${left} refills left`, es: `le quedan ${left} resurtidos` };
}

/** undefined if the record tells neither. */
function sayFills({ lastFilled, refillsLeft }: Medication, { say, when }: Phrasing): string | undefined {
  const refills = refillsLeft === undefined ? undefined : refillsIn(refillsLeft);
  const filled = lastFilled && when(lastFilled);
  if (filled && refills)
    return say({
      en: `It was last filled ${filled}, with ${refills.en} on the prescription.`,
      es: `Se surtió por última vez ${filled}, y ${refills.es} en la receta.`,
    });
  if (filled) return say({ en: `It was last filled ${filled}.`, es: `Se surtió por última vez ${filled}.` });
  return refills && say({ en: `It has ${refills.en} on the prescription.`, es: `En la receta ${refills.es}.` });
}

const brief = ({ name, lastFilled }: Medication, { say, when, record }: Phrasing): string =>
  lastFilled
    ? say({ en: `${record(name)}, last filled ${when(lastFilled)}`, es: `${record(name)}, surtido ${when(lastFilled)}` })
    : record(name);

function other({ name, status, source }: Medication, { say, record }: Phrasing): string {
  const inState = `${record(name)}, ${record(status.replaceAll("-", " "))}`;
  if (source === "prescribed") return inState;
  const said = status === "active" ? record(name) : inState;
  return say({ en: `${said}, as the clinic has noted`, es: `${said}, según lo anotado por la clínica` });
}

/** Tells the refills on record, but never promises one. */
export function speak({ asked, medications, more, missing }: Output, phrasing: Phrasing): string {
  const { say, list } = phrasing;
  const late = say({
    en: "I couldn't get everything about your medications just now.",
    es: "En este momento no pude ver todos los datos de sus medicamentos.",
  });
  const answer = (...parts: string[]): string => [...parts, ...(missing.length > 0 ? [late] : [])].join(" ");
  const isCut = missing.includes("prescribed");
  const there = isCut ? { en: "among those I could read", es: "entre los que pude ver" } : { en: "on file", es: "en su expediente" };
  if (medications.length === 0)
    return answer(
      asked
        ? say({ en: `I don't see a medication by that name ${there.en}.`, es: `No veo ningún medicamento con ese nombre ${there.es}.` })
        : say({ en: `I don't see any medications ${there.en}.`, es: `No veo medicamentos ${there.es}.` }),
    );
  const active = medications.filter(({ status, source }) => status === "active" && source === "prescribed");
  const others = medications.filter((one) => !active.includes(one));
  const [only] = active;
  const forThat = asked ? { en: " for that", es: " de eso" } : { en: "", es: "" };
  const alsoOnFile = (): string =>
    longestOf(Math.min(others.length, maxSpoken), (most) => {
      const all = list(
        others.map((one) => other(one, phrasing)),
        { most, more },
      );
      return say({ en: `Also on file: ${all}.`, es: `También en su expediente: ${all}.` });
    });
  if (!only)
    return answer(
      isCut
        ? say({
            en: `I don't see an active prescription${forThat.en} ${there.en}.`,
            es: `No veo una receta vigente${forThat.es} entre las que pude ver.`,
          })
        : say({ en: `I don't see an active prescription${forThat.en}.`, es: `No veo una receta vigente${forThat.es}.` }),
      alsoOnFile(),
    );
  if (active.length === 1) {
    const said = details(only, phrasing);
    const one = say({
      en: `You have one active prescription${forThat.en}: ${said}.`,
      es: `Tiene una receta vigente${forThat.es}: ${said}.`,
    });
    const fills = sayFills(only, phrasing);
    return answer(one, ...(fills ? [fills] : []), ...(others.length > 0 && !asked ? [alsoOnFile()] : []));
  }
  // Unlisted ones may be active too.
  const isMore = more > 0 && others.length === 0;
  const count = say({ en: `${isMore ? "at least " : ""}${active.length}`, es: `${isMore ? "al menos " : ""}${active.length}` });
  return answer(
    longestOf(Math.min(active.length, maxSpoken), (most) => {
      const all = list(
        active.map((one) => brief(one, phrasing)),
        { most },
      );
      return say({
        en: `You have ${count} active prescriptions${forThat.en}: ${all}.`,
        es: `Tiene ${count} recetas vigentes${forThat.es}: ${all}.`,
      });
    }),
  );
}
