import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import { lowerCaseWords } from "../speech/speech-text.ts";
import { longestOf } from "../speech/phrasing.ts";
import type { Output, Provider } from "./schema.ts";

/** "Doctor Amara Larkmere, general practice, at Sampleton Main Clinic". */
const describe = ({ name, specialties, locations, gender }: Provider, phrasing: Phrasing): string =>
  [
    phrasing.name(name, gender),
    specialties.length > 0 &&
      phrasing.list(
        specialties.map((one) => lowerCaseWords(phrasing.record(one))),
        { most: 2 },
      ),
    locations.length > 0 && `${phrasing.say({ en: "at", es: "en" })} ${phrasing.list(locations, { most: 2 })}`,
  ]
    .filter(Boolean)
    .join(", ");

const notAsAsked: Record<NonNullable<Output["instead"]>, Bilingual> = {
  female: { en: "I don't see a woman for that here", es: "No encuentro aquí a una doctora para eso" },
  male: { en: "I don't see a man for that here", es: "No encuentro aquí a un doctor para eso" },
  gender: { en: "I can't tell who of our doctors is a woman or a man", es: "No tengo el dato de quién es doctora o doctor" },
};

export function speak({ providers, more, instead, isUsual }: Output, phrasing: Phrasing): string {
  const { say, list } = phrasing;
  if (isUsual)
    return say({
      en: "I can look for a time with your usual doctor. Would you like that?",
      es: "Puedo buscar un horario con su médico de siempre. ¿Le parece?",
    });
  if (providers.length === 0)
    return say({
      en: "I couldn't find anyone like that here. Shall I try another name, specialty or location?",
      es: "No encontré a nadie así en la clínica. ¿Busco otro nombre, especialidad o lugar?",
    });
  const described = providers.map((one) => describe(one, phrasing));
  const count = providers.length + more;
  return longestOf(providers.length, (most) => {
    const found = list(described, { most, more });
    if (instead)
      return say({ en: `${notAsAsked[instead].en}, but I found ${found}.`, es: `${notAsAsked[instead].es}, pero encontré a ${found}.` });
    if (count === 1) return say({ en: `I found ${found}.`, es: `Encontré a ${found}.` });
    return say({ en: `I found ${count} providers: ${found}.`, es: `Encontré ${count} médicos: ${found}.` });
  });
}
