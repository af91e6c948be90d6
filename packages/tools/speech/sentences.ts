import type { ErrorCode } from "@vitaline/core";
import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";

/** `next`: that the office can help is said after it. */
type ErrorSentence = Bilingual & { next?: "offerOffice" | "handOverSentence" };

const andOffice = (text: Bilingual): ErrorSentence => ({ ...text, next: "offerOffice" });

const outage = andOffice({
  en: "I'm sorry, I'm having trouble reaching the clinic's record system right now. Please try again in a few minutes.",
  es: "Disculpe, en este momento no puedo consultar los expedientes de la clínica. Por favor intente de nuevo en unos minutos.",
});
const ourOutage = andOffice({
  en: "I'm sorry, I'm having a technical problem at the moment. Please try again in a minute.",
  es: "Disculpe, en este momento tengo un problema técnico. Por favor intente de nuevo en un minuto.",
});
const misunderstood: ErrorSentence = {
  en: "I didn't get that quite right. Could you tell me once more what you need?",
  es: "No le entendí bien. ¿Me podría repetir qué necesita?",
};
const notAllowed = andOffice({ en: "That isn't something I can do.", es: "Eso no lo puedo hacer yo." });
const notInService: ErrorSentence = {
  en: "This line is not in service right now. Please call the office directly.",
  es: "Esta línea no está en servicio en este momento. Por favor llame directamente al consultorio.",
};
const unsupported = andOffice({
  en: "The clinic's record system doesn't support that.",
  es: "El sistema de la clínica no permite hacer eso.",
});

/** One for each error code, without codes, system names or record data. */
export const errorSentences: Readonly<Record<ErrorCode, ErrorSentence>> = {
  invalid_request: misunderstood,
  invalid_json: misunderstood,
  unauthenticated: notAllowed,
  invalid_credentials: notAllowed,
  session_expired: notAllowed,
  totp_required: notAllowed,
  password_change_required: notAllowed,
  totp_enrolment_required: notAllowed,
  read_only: notAllowed,
  forbidden: {
    en: "This call has already ended, so nothing more can be done in it.",
    es: "Esta llamada ya terminó, así que ya no se puede hacer nada más en ella.",
  },
  tenant_inactive: notInService,
  not_found: { en: "I couldn't find that.", es: "No encontré eso." },
  method_not_allowed: notAllowed,
  duplicate: { en: "That has already been done.", es: "Eso ya está hecho." },
  stale_version: {
    en: "Something changed while I was working on that. Let me try once more.",
    es: "Algo cambió mientras lo hacía. Permítame intentarlo una vez más.",
  },
  payload_too_large: misunderstood,
  unsupported_media_type: misunderstood,
  not_doable: andOffice({ en: "I'm not able to do that here.", es: "Eso no lo puedo hacer por aquí." }),
  confirmation_required: { en: "I need a clear yes before I change that.", es: "Necesito un sí claro antes de cambiarlo." },
  too_many_requests: {
    en: "There is a lot going on right now. Please give me a moment and ask again.",
    es: "En este momento hay mucho movimiento. Por favor deme un momento y vuelva a preguntar.",
  },
  unavailable: ourOutage,
  deadline_exceeded: {
    en: "That is taking longer than it should, so I stopped. Shall I try again?",
    es: "Está tardando más de lo debido, así que lo detuve. ¿Lo intento otra vez?",
  },
  outbound_refused: outage,
  outbound_timeout: outage,
  outbound_unreachable: outage,
  outbound_too_large: outage,
  outbound_redirect: outage,
  ehr_not_configured: andOffice({
    en: "I don't have access to this clinic's record system, so I can't do that.",
    es: "No tengo acceso al sistema de esta clínica, así que no puedo hacer eso.",
  }),
  ehr_unavailable: outage,
  ehr_timeout: outage,
  ehr_auth: outage,
  ehr_forbidden: andOffice({
    en: "The clinic's record system doesn't let me do that.",
    es: "El sistema de la clínica no me deja hacer eso.",
  }),
  ehr_not_found: { en: "I couldn't find that in the clinic's records.", es: "No encontré eso en los expedientes de la clínica." },
  ehr_conflict: {
    en: "That was changed by someone else at the same moment. Shall I try again?",
    es: "Alguien más lo cambió en ese mismo momento. ¿Lo intento otra vez?",
  },
  ehr_invalid: andOffice({
    en: "The clinic's record system gave me an answer I can't use.",
    es: "El sistema de la clínica me dio una respuesta que no me sirve.",
  }),
  ehr_unsupported: unsupported,
  ehr_unknown_outcome: {
    en: "I couldn't confirm whether that went through. I'm checking it; please don't ask for it again before you have checked with the office.",
    es: "No pude confirmar si quedó hecho. Lo estoy verificando; por favor no lo pida otra vez antes de consultar con el consultorio.",
  },
  ehr_not_allowed: andOffice({
    en: "I don't have permission to do that in the clinic's record system.",
    es: "No tengo permiso para hacer eso en el sistema de la clínica.",
  }),
  opted_out: andOffice({
    en: "That contact has asked not to get messages from us, so I can't send it there.",
    es: "Ese contacto pidió no recibir mensajes nuestros, así que no puedo enviarlo ahí.",
  }),
  contact_not_on_file: andOffice({
    en: "I can only send that to a phone number or email address that is on file.",
    es: "Solo puedo enviarlo a un teléfono o correo electrónico que esté en su expediente.",
  }),
  message_failed: { en: "I couldn't send that message. Shall I try again?", es: "No pude enviar ese mensaje. ¿Lo intento otra vez?" },
  voice_platform_auth: ourOutage,
  voice_platform_rate_limited: ourOutage,
  voice_platform_unavailable: ourOutage,
  voice_platform_invalid: ourOutage,
  agent_inactive: notInService,
  identity_required: {
    en: "Before I can do that, I need to verify who I'm speaking with. Please tell me your full name, date of birth, and your phone number or zip code on file.",
    es: "Antes necesito verificar su identidad. Por favor dígame su nombre completo, su fecha de nacimiento y el teléfono o código postal que tenemos registrado.",
  },
  identity_not_verified: { en: "I couldn't verify that information.", es: "No pude verificar esos datos." },
  identity_locked: {
    en: "I'm not able to verify your identity on this call.",
    es: "No me es posible verificar su identidad en esta llamada.",
    next: "handOverSentence",
  },
  proxy_not_allowed: {
    en: "I can only go into that with the patient.",
    es: "Eso solo puedo tratarlo con el paciente.",
    next: "offerOffice",
  },
  emergency: {
    en: "If this is an emergency, please hang up and call 911 right now.",
    es: "Si es una emergencia, por favor cuelgue y llame al 911 ahora mismo.",
  },
  slot_taken: { en: "That time has just been taken.", es: "Ese horario se acaba de ocupar." },
  in_progress: { en: "I'm still working on that; one moment please.", es: "Todavía estoy en eso; un momento, por favor." },
  unknown_tool: { en: "That isn't something I can help with on this call.", es: "Con eso no le puedo ayudar en esta llamada." },
  invalid_arguments: {
    en: "I need a little more information to do that. Could you tell me once more what you need?",
    es: "Necesito un poco más de información para hacerlo. ¿Me podría repetir qué necesita?",
  },
};

export function errorSentence(code: ErrorCode, phrasing: Phrasing): string {
  const { next, ...text } = errorSentences[code];
  return [phrasing.say(text), ...(next ? [phrasing[next]] : [])].join(" ");
}

const details: Readonly<Record<"phone" | "zip" | "mrn" | "email", Bilingual>> = {
  phone: { en: "phone number", es: "número de teléfono" },
  zip: { en: "zip code", es: "código postal" },
  mrn: { en: "medical record number", es: "número de expediente" },
  email: { en: "email address", es: "correo electrónico" },
};

/** For a verified caller who needs one more factor. `isOutOfTries`: only a code is left. */
export function sentenceForOneMore(
  { factors, isOutOfTries }: { factors: readonly string[]; isOutOfTries: boolean },
  { say, list }: Phrasing,
): string {
  if (isOutOfTries)
    return say({
      en: "For that I need one more proof that it's you. Shall I text or email you a code?",
      es: "Para eso necesito una prueba más de que es usted. ¿Le envío un código por mensaje de texto o por correo?",
    });
  const known = factors.includes("address") ? [...factors, "zip"] : factors;
  const others = (Object.keys(details) as (keyof typeof details)[]).filter((factor) => !known.includes(factor));
  const names = list(
    others.map((factor) => say(details[factor])),
    { word: "or" },
  );
  return say({
    en: `For that I need one more detail: your ${names} on file. I can also send you a code.`,
    es: `Para eso necesito un dato más de su expediente: su ${names}. También puedo enviarle un código.`,
  });
}
