const weekday = /(?<= |^)(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|lunes|martes|miercoles|jueves|viernes|sabado|domingo)(?= |$)/g;
const other =
  /(?<=(?:,|;|mejor|pero|sino|entonces|but|so|maybe) )(?:en )?(?:(?:el|la) (?:otr[oa]|siguiente|proxim[oa]|que (?:viene|sigue|entra))|(?:the )?(?:next|following|other) one|the one after(?: that)?)(?= ,|$| (?:en|por|a|in|at|please|esta|si|me|puedo|works|is|would|i|on)(?: |$))/;

const nextWeek = (said: string): string => (said.includes("semana") ? "la semana que viene" : "next week");
const afterNext = (day: string): string => (day.endsWith("day") ? `${day} after next` : `el ${day} no el siguiente`);

/** "I can't this week, the other one is fine" is next week. */
export const namingTheOther = (plain: string): string =>
  plain.replace(other, (said, at: number) => {
    const before = plain.slice(0, at);
    if (
      /(?<= |^)not?(?: es)?(?: (?:este|esta|el|la|this|the|coming|week|semana|que|viene|[a-z]+day|lunes|martes|miercoles|jueves|viernes|sabado|domingo))* ,? ?(?:sino |but )?$/.test(
        before,
      )
    )
      return said;
    const days = [...before.matchAll(weekday)].map(([name]) => name);
    const isWeek = /(?<= |^)(?:this week|(?:est[ae]|la) (?:misma )?semana)(?= |$)/.test(before);
    if (days.length > 1 || (days.length === 1) === isWeek) return said;
    return days[0] === undefined ? nextWeek(before) : afterNext(days[0]);
  });
