import type { Phrasing } from "../sdk/phrasing.ts";
import { isShort, longestOf } from "../speech/phrasing.ts";
import type { CoverageOnFile, Output } from "./schema.ts";

function describe({ payer, plan, memberIdEndsIn, period, startsOn, endsOn }: CoverageOnFile, { say, when }: Phrasing): string {
  const name = [payer ?? say({ en: "an insurance plan", es: "un seguro" }), plan].filter(Boolean).join(" ");
  const expired = period === "expired" && endsOn && say({ en: `which expired ${when(endsOn)}`, es: `que venció ${when(endsOn)}` });
  const notStarted =
    period === "not_started" && startsOn && say({ en: `which starts ${when(startsOn)}`, es: `que empieza ${when(startsOn)}` });
  const clause = expired || notStarted;
  const number =
    memberIdEndsIn &&
    say({ en: `with a member ID ending in ${memberIdEndsIn}`, es: `con número de afiliado terminado en ${memberIdEndsIn}` });
  if (clause) return [name, clause, number].filter(Boolean).join(", ");
  return number ? `${name} ${number}` : name;
}

/** Coverage on file is never called eligible: only the insurer can confirm that. */
export function speak({ coverages, payerMatches, memberIdMatches }: Output, phrasing: Phrasing): string {
  const { say, list } = phrasing;
  if (payerMatches === false)
    return say({
      en: "That isn't the insurance company I have on file. The office can update it.",
      es: "Esa no es la aseguradora que tengo registrada. El consultorio puede actualizarla.",
    });
  if (coverages.length === 0)
    return say({
      en: "I don't see any insurance on file. The office can add it.",
      es: "No veo ningún seguro registrado. El consultorio puede agregarlo.",
    });
  const onFile = (said: readonly CoverageOnFile[], most: number): string => {
    const all = list(
      said.map((one) => describe(one, phrasing)),
      { most },
    );
    return coverages.length === 1
      ? say({ en: `On file I have ${all}.`, es: `Tengo registrado ${all}.` })
      : say({ en: `On file I have ${all}.`, es: `Tengo registrados ${all}.` });
  };
  const whole = onFile(coverages, coverages.length);
  const withoutNumbers = coverages.map(({ memberIdEndsIn: _number, ...rest }) => rest);
  return [
    isShort(whole) ? whole : longestOf(coverages.length, (most) => onFile(withoutNumbers, most)),
    ...(memberIdMatches === undefined ? [] : [memberSentence(memberIdMatches, phrasing)]),
    insurerSentence(coverages, phrasing),
  ].join(" ");
}

const memberSentence = (matches: boolean, { say }: Phrasing): string =>
  matches
    ? say({ en: "The member ID you gave matches.", es: "El número de afiliado que me dio coincide." })
    : say({
        en: "The member ID you gave doesn't match what's on file.",
        es: "El número de afiliado que me dio no coincide con el registrado.",
      });

function insurerSentence(coverages: CoverageOnFile[], { say }: Phrasing): string {
  const asked = coverages.find(({ insurerSays }) => insurerSays !== "not_checked");
  const which = coverages.length > 1 && asked?.payer ? asked.payer : say({ en: "The insurer", es: "La aseguradora" });
  if (asked?.insurerSays === "in_force")
    return say({ en: `${which} confirms that it is in force today.`, es: `${which} confirma que hoy está vigente.` });
  if (asked)
    return say({
      en: `${which} says that it is not in force today; the office can help with that.`,
      es: `${which} dice que hoy no está vigente; el consultorio puede ayudarle con eso.`,
    });
  if (coverages.every(({ period }) => period === "expired"))
    return say({ en: "The office can update it.", es: "El consultorio puede actualizarlo." });
  return say({
    en: "I haven't checked that with the insurance company.",
    es: "No lo he verificado con la aseguradora.",
  });
}
