import type { Language, MessagePurpose, MessageTemplates } from "@vitaline/contract";

/** The clinic's own texts, by purpose. */
export const editable: Partial<Record<MessagePurpose, keyof MessageTemplates>> = {
  appointment_confirmation: "appointmentConfirmation",
  appointment_reminder: "appointmentReminder",
  follow_up: "followUp",
};

type Texts = {
  builtIn: Readonly<Partial<Record<MessagePurpose, string>>>;
  canceled: string;
  /** Required by carriers; AWS processes the reply. */
  howToStop: string;
  subject(sender: string): string;
  calendarEntry(place: string): string;
  code(code: string, clinic: string): { subject: string; text: string };
};

export const texts: Readonly<Record<Language, Texts>> = {
  en: {
    builtIn: {
      directions: "{office} is at {address}. If you need help finding it, please call {phone}.",
      callback: "Please call {office} back at {phone}.",
      general: "Thank you for calling {office}. You can reach us at {phone}.",
    },
    canceled: "Your appointment at {office} on {date} at {time} is canceled. To schedule another one, please call {phone}.",
    howToStop: "Reply STOP to opt out.",
    subject: (sender) => `A message from ${sender}`,
    calendarEntry: (place) => `Appointment at ${place}`,
    code: (code, clinic) => ({
      subject: `Your code for ${clinic}`,
      text: `${code} is your code for ${clinic}. Share it only on the call where you requested it.`,
    }),
  },
  es: {
    builtIn: {
      directions: "{office} está en {address}. Si necesita ayuda para llegar, llame al {phone}.",
      callback: "Por favor, devuelva la llamada a {office} al {phone}.",
      general: "Gracias por llamar a {office}. Puede comunicarse con nosotros al {phone}.",
    },
    canceled: "Su cita en {office} del {date} a {time} fue cancelada. Para programar otra, llame al {phone}.",
    howToStop: "Responda STOP para no recibir más mensajes.",
    subject: (sender) => `Un mensaje de ${sender}`,
    calendarEntry: (place) => `Cita en ${place}`,
    code: (code, clinic) => ({
      subject: `Su código para ${clinic}`,
      text: `${code} es su código para ${clinic}. Dígalo solo en la llamada en la que lo pidió.`,
    }),
  },
};

type VisitTime = { date: string; time: string };

/** "Monday, June 8" at "10:00 AM"; "lunes 8 de junio" a "las 10:00 a.m.", with the article that the hour takes. */
export function visitTime(language: Language, start: string, timeZone: string): VisitTime {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${language}-US`, { timeZone, ...options }).format(new Date(start)).replace(/\s/gu, " ");
  const date = format({ weekday: "long", month: "long", day: "numeric" });
  const time = format({ hour: "numeric", minute: "2-digit" });
  // Twelve PM is midnight to some.
  const isNoon = /^12:00 p/i.test(time);
  if (language === "en") return { date, time: isNoon ? "noon" : time };
  const said = isNoon ? "12:00 del mediodía" : time;
  return { date: date.replace(",", ""), time: `${time.startsWith("1:") ? "la" : "las"} ${said}` };
}
