import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import { isShort, longestOf, maxSpoken } from "../speech/say-list.ts";
import type { Instead, Output, TimeOption, AppointmentSummary } from "./schema.ts";
import { speakService } from "../scheduling/services.ts";
import { sayOffers, sayAppointment } from "./speak-appointments.ts";

type Result<Name extends Output["result"]> = Extract<Output, { result: Name }>;

const whichTime: Bilingual = { en: "Which would you like?", es: "¿Cuál prefiere?" };
const doesItSuit: Bilingual = { en: "Would that work for you?", es: "¿Le queda bien?" };
const choiceOf = (count: number): Bilingual => (count === 1 ? doesItSuit : whichTime);
const askTime: Bilingual = { en: "Which day and time would suit you?", es: "¿Qué día y a qué hora le convendría?" };

const notAsAsked: Record<Instead, Bilingual> = {
  female: { en: "I don't see an opening with a woman", es: "No veo lugar con una doctora" },
  male: { en: "I don't see an opening with a man", es: "No veo lugar con un doctor" },
  gender: { en: "I can't tell who of our doctors is a woman or a man", es: "No tengo el dato de quién es doctora o doctor" },
  usual: { en: "I don't see an opening with your usual doctor", es: "No veo lugar con su médico de siempre" },
  noUsual: { en: "I don't see who your usual doctor is", es: "No veo quién es su médico de siempre" },
  location: { en: "I don't see an opening there", es: "Ahí no veo lugar" },
  noPlaces: { en: "I can't look for one place here", es: "Aquí no puedo buscar por lugar" },
  service: { en: "I don't see a specialist for that here", es: "No encuentro aquí a un especialista para eso" },
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function speak(output: Output, phrasing: Phrasing): string {
  const { say, time, offerOffice: office } = phrasing;
  switch (output.result) {
    case "found":
      return sayFound(output, phrasing);
    case "taken":
      return sayTaken(output, phrasing);
    case "choose":
      return sayChoice(output, phrasing);
    case "whichService":
      return sayWhichService(output, phrasing);
    case "ask":
      return sayAsk(output, phrasing);
    case "booked": {
      const visit = sayAppointment(output.appointment, phrasing);
      return say({ en: `You're booked for ${visit}.`, es: `Su cita queda agendada para ${visit}.` });
    }
    case "already": {
      const visit = sayAppointment(output.appointment, phrasing);
      return output.overlaps
        ? say({
            en: `You already have an appointment at that time: ${visit}. Would you like another time?`,
            es: `A esa hora ya tiene una cita: ${visit}. ¿Desea otro horario?`,
          })
        : say({ en: `You're already booked for ${visit}.`, es: `Ya tiene su cita para ${visit}.` });
    }
    case "enough":
      return output.of === "call"
        ? say({
            en: `I can't make any more appointments in this call. ${office}`,
            es: `Ya no puedo agendar más citas en esta llamada. ${office}`,
          })
        : say({
            en: "You have several upcoming appointments that were made by phone, so I can't book another one. I can move or cancel one of them.",
            es: "Ya tiene varias citas agendadas por teléfono, así que no puedo agendar otra. Puedo cambiar o cancelar alguna de ellas.",
          });
    case "requested":
      return sayRequested(output, phrasing);
    case "listed":
      return sayListed(output, phrasing);
    case "rescheduled": {
      const [visit, before] = [sayAppointment(output.appointment, phrasing), time(output.replaced.start)];
      return say({
        en: `Done. Your appointment is now ${visit}, instead of ${before}.`,
        es: `Listo. Su cita ahora es ${visit}, en lugar de ${before}.`,
      });
    }
    case "cancelled":
      return say({
        en: `Your appointment ${sayAppointment(output.appointment, phrasing, "on")} is canceled.`,
        es: `Su cita de ${sayAppointment(output.appointment, phrasing)} queda cancelada.`,
      });
    case "which":
      return sayWhich(output, phrasing);
    case "none":
      return output.action === "cancel"
        ? say({ en: "I don't see an upcoming appointment to cancel.", es: "No veo ninguna cita próxima para cancelar." })
        : say({ en: "I don't see an upcoming appointment to reschedule.", es: "No veo ninguna cita próxima para cambiar." });
  }
}

function sayFound(output: Result<"found">, phrasing: Phrasing): string {
  const { say, day, weekdays, list } = phrasing;
  const { unknown, slots, from, until, closedOn, otherTimes, otherDays, instead, places = [] } = output;
  if (unknown === "practitioner")
    return say({
      en: "I don't see a doctor by that name here. Would you like to see someone else?",
      es: "No encuentro aquí a un médico con ese nombre. ¿Desea ver a otra persona?",
    });
  if (unknown === "location")
    return longestOf(places.length, (most) => {
      const known = list(places.slice(0, most));
      return say({
        en: `I don't see that location here. We have times at ${known}. Which would suit you?`,
        es: `No encuentro ese lugar aquí. Hay horarios en ${known}. ¿Cuál le conviene?`,
      });
    });
  if (unknown === "service")
    return say({
      en: "I don't see that kind of visit here. What else can I look for?",
      es: "No encuentro ese tipo de consulta aquí. ¿Qué más le puedo buscar?",
    });
  if (slots.length === 0) {
    const start = from ? day(from) : say({ en: "now", es: "hoy" });
    const inTwoWeeks = from
      ? say({ en: `in the two weeks from ${start}`, es: `en las dos semanas a partir de ${start}` })
      : say({ en: "in the next two weeks", es: "en las próximas dos semanas" });
    const searched = until
      ? say({
          en: `between ${start} and ${day(until)}, which is as far as I could look`,
          es: `entre ${start} y ${day(until)}, que es hasta donde pude buscar`,
        })
      : inTwoWeeks;
    return say({
      en: `I don't see any open times ${searched}. Would you like to try other dates?`,
      es: `No veo horarios disponibles ${searched}. ¿Desea probar otras fechas?`,
    });
  }
  const opener = (): string => {
    if (instead === "service")
      return say({
        en: `${notAsAsked.service.en}, but for a general visit I have`,
        es: `${notAsAsked.service.es}, pero para una consulta general tengo`,
      });
    if (instead) return say({ en: `${notAsAsked[instead].en}, but I have`, es: `${notAsAsked[instead].es}, pero tengo` });
    if (closedOn)
      return say({
        en: `We're closed on ${weekdays(closedOn)}, but I have`,
        es: `${capital(weekdays(closedOn))} estamos cerrados, pero tengo`,
      });
    if (otherTimes) return say({ en: "I don't see anything at that time of day, but I have", es: "A esas horas no veo nada, pero tengo" });
    return otherDays
      ? say({ en: "I don't see anything on that day, but I have", es: "Ese día no veo nada, pero tengo" })
      : say({ en: "I have", es: "Tengo" });
  };
  return sayOffers(slots, phrasing, (offers, count) => `${opener()} ${offers}. ${say(choiceOf(count))}`);
}

function sayTaken({ slots, isNoOpening, closedOn, instead }: Result<"taken">, phrasing: Phrasing): string {
  const { say, weekdays } = phrasing;
  const notFree = (): string => {
    if (instead && isNoOpening) return say(notAsAsked[instead]);
    if (closedOn) return say({ en: `We're closed on ${weekdays(closedOn)}`, es: `${capital(weekdays(closedOn))} estamos cerrados` });
    return isNoOpening
      ? say({ en: "There is no opening at that time", es: "A esa hora no hay lugar" })
      : say({ en: "That time is no longer available", es: "Ese horario ya no está disponible" });
  };
  if (slots.length === 0)
    return say({
      en: `${notFree()}, and I don't see another one close to it. Would you like to try another day?`,
      es: `${notFree()}, y no veo otro horario cercano. ¿Desea probar otro día?`,
    });
  return sayOffers(slots, phrasing, (offers, count) =>
    say({
      en: `${notFree()}. I could offer ${offers}. ${choiceOf(count).en}`,
      es: `${notFree()}. Le puedo ofrecer ${offers}. ${choiceOf(count).es}`,
    }),
  );
}

const counted: Bilingual<readonly string[]> = {
  en: ["one time", "two times", "three times"],
  es: ["un horario", "dos horarios", "tres horarios"],
};

function sayChoice({ slots, isBeyond }: Result<"choose">, phrasing: Phrasing): string {
  const { say } = phrasing;
  if (slots.length === 0) return say(askTime);
  if (isBeyond)
    return sayOffers(slots, phrasing, (offers, count) =>
      say({
        en: `I only have ${counted.en[count - 1]}: ${offers}. ${choiceOf(count).en}`,
        es: `Solo tengo ${counted.es[count - 1]}: ${offers}. ${choiceOf(count).es}`,
      }),
    );
  return sayOffers(slots, phrasing, (offers, count) =>
    say({ en: `I have ${offers}. ${choiceOf(count).en}`, es: `Tengo ${offers}. ${choiceOf(count).es}` }),
  );
}

/** Days where they differ, else times. */
function timeOptions(options: readonly TimeOption[], { say, day, clock }: Phrasing): string[] {
  const days = options.map(({ from, until }) =>
    from && until !== from ? say({ en: `the days from ${day(from)}`, es: `los días a partir de ${day(from)}` }) : from && day(from),
  );
  if (new Set(days).size > 1) return [...new Set(days)].filter((one) => one !== undefined);
  return options.flatMap(({ time }) => (time === undefined ? [] : say({ en: clock(time), es: `a ${clock(time)}` })));
}

function sayWhichService({ services }: Result<"whichService">, phrasing: Phrasing): string {
  const { say, list, record } = phrasing;
  const [inEnglish, inSpanish] = [services.map(speakService), services.map(record)].map((all) => list(all, { word: "or" }));
  return say({ en: `Is that for ${inEnglish}?`, es: `¿Es para ${inSpanish}?` });
}

function sayAsk({ options, isTooFar }: Result<"ask">, phrasing: Phrasing): string {
  const { say, list } = phrasing;
  if (isTooFar)
    return say({
      en: "I can only look two years ahead. Which day would suit you?",
      es: "Solo puedo buscar en los próximos dos años. ¿Qué día le convendría?",
    });
  if (options.length === 0) return say(askTime);
  const meant = list(timeOptions(options, phrasing), { word: "or" });
  return say({ en: `Do you mean ${meant}?`, es: `¿Quiere decir ${meant}?` });
}

function sayRequested({ appointment, stays }: Result<"requested">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const visit = sayAppointment(appointment, phrasing, "plain");
  const asked = say({
    en: `I've asked for ${visit}; the clinic will confirm it.`,
    es: `Pedí su cita para ${visit}; la clínica la confirmará.`,
  });
  if (!stays) return asked;
  return say({
    en: `${asked} Until then your appointment ${phrasing.onTime(stays.start)} stands.`,
    es: `${asked} Mientras tanto sigue en pie su cita de ${phrasing.time(stays.start)}.`,
  });
}

function sayListed({ appointments }: Result<"listed">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const count = appointments.length;
  if (count === 0) return say({ en: "I don't see any upcoming appointments for you.", es: "No veo citas próximas a su nombre." });
  return sayApart(appointments, phrasing, (said, most) => {
    if (count === 1) return say({ en: `You have one upcoming appointment: ${said}.`, es: `Tiene una cita próxima: ${said}.` });
    if (most === count)
      return say({ en: `You have ${count} upcoming appointments: ${said}.`, es: `Tiene ${count} citas próximas: ${said}.` });
    return say({
      en: `You have ${count} upcoming appointments; the next are ${said}.`,
      es: `Tiene ${count} citas próximas, las siguientes son ${said}.`,
    });
  });
}

function sayWhich({ appointments, action }: Result<"which">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const verb = { en: action === "cancel" ? "cancel" : "reschedule", es: action === "cancel" ? "cancelar" : "cambiar" };
  return sayApart(appointments, phrasing, (said) =>
    say({ en: `You have ${said}. Which one would you like to ${verb.en}?`, es: `Tiene cita ${said}. ¿Cuál desea ${verb.es}?` }),
  );
}

/** With doctors and places if that is short; else the times, which tell them apart. */
function sayApart(
  appointments: readonly AppointmentSummary[],
  phrasing: Phrasing,
  sentence: (said: string, count: number) => string,
): string {
  const { list } = phrasing;
  const next = appointments.slice(0, maxSpoken);
  const whole = sentence(list(next.map((one) => sayAppointment(one, phrasing))), next.length);
  if (isShort(whole)) return whole;
  return longestOf(next.length, (most) =>
    sentence(
      list(next.slice(0, most).map(({ appointmentId, start, requested }) => sayAppointment({ appointmentId, start, requested }, phrasing))),
      most,
    ),
  );
}
