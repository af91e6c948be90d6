import type { Language } from "@vitaline/contract";

/** Words of a record that have a common Spanish name. Others, such as names of medications, are said as recorded. */
const spanish: Readonly<Record<string, string>> = {
  allergy: "alergología",
  "annual physical": "chequeo anual",
  cardiology: "cardiología",
  dermatology: "dermatología",
  endocrinology: "endocrinología",
  "family medicine": "medicina familiar",
  "family practice": "medicina familiar",
  gastroenterology: "gastroenterología",
  "general practice": "medicina general",
  "general medicine": "medicina general",
  gynecology: "ginecología",
  "gynecology visit": "una consulta de ginecología",
  "internal medicine": "medicina interna",
  "lab work": "análisis de laboratorio",
  nephrology: "nefrología",
  neurology: "neurología",
  obstetrics: "obstetricia",
  "office visit": "una consulta",
  oncology: "oncología",
  ophthalmology: "oftalmología",
  orthopedics: "ortopedia",
  otolaryngology: "otorrinolaringología",
  pediatrics: "pediatría",
  physical: "un chequeo",
  "primary care": "medicina general",
  psychiatry: "psiquiatría",
  pulmonology: "neumología",
  rheumatology: "reumatología",
  therapy: "terapia",
  urology: "urología",
  vaccine: "una vacuna",

  "blood pressure": "presión arterial",
  "body height": "estatura",
  "body mass index": "índice de masa corporal",
  "body temperature": "temperatura",
  "body weight": "peso",
  "heart rate": "frecuencia cardíaca",
  "oxygen saturation": "saturación de oxígeno",
  "respiratory rate": "frecuencia respiratoria",
  cholesterol: "colesterol",
  glucose: "glucosa",
  "hemoglobin a1c": "hemoglobina A1c",

  asthma: "asma",
  hypertension: "hipertensión",
  "type 2 diabetes": "diabetes tipo 2",
  anaphylaxis: "anafilaxia",
  hives: "urticaria",
  nausea: "náuseas",
  peanut: "cacahuate",
  penicillin: "penicilina",
  rash: "sarpullido",

  "a condition without a name": "un problema sin nombre",
  "a medication the record does not name": "un medicamento sin nombre en el expediente",
  "something the record does not name": "algo sin nombre en el expediente",
  "no known allergies": "no se conocen alergias",

  active: "vigente",
  cancelled: "cancelado",
  completed: "terminado",
  draft: "en borrador",
  intended: "previsto",
  "on hold": "en pausa",
  stopped: "suspendido",
  unknown: "sin estado conocido",

  "the clinic": "la clínica",
};

export const recordWords =
  (language: Language) =>
  (text: string): string =>
    language === "en" ? text : (spanish[text.toLowerCase()] ?? text);
