import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";

const mercury: Bilingual = { en: "millimeters of mercury", es: "milímetros de mercurio" };
const beats: Bilingual = { en: "beats per minute", es: "latidos por minuto" };
const pounds: Bilingual = { en: "pounds", es: "libras" };
const inches: Bilingual = { en: "inches", es: "pulgadas" };
const celsius: Bilingual = { en: "degrees Celsius", es: "grados Celsius" };
const fahrenheit: Bilingual = { en: "degrees Fahrenheit", es: "grados Fahrenheit" };

const units: Readonly<Record<string, Bilingual>> = {
  mmHg: mercury,
  "mm[Hg]": mercury,
  "%": { en: "percent", es: "por ciento" },
  "ng/mL": { en: "nanograms per milliliter", es: "nanogramos por mililitro" },
  "mg/dL": { en: "milligrams per deciliter", es: "miligramos por decilitro" },
  "g/dL": { en: "grams per deciliter", es: "gramos por decilitro" },
  "mmol/L": { en: "millimoles per liter", es: "milimoles por litro" },
  "U/L": { en: "units per liter", es: "unidades por litro" },
  "/min": { en: "per minute", es: "por minuto" },
  "beats/minute": beats,
  "beats/min": beats,
  bpm: beats,
  "breaths/minute": { en: "breaths per minute", es: "respiraciones por minuto" },
  kg: { en: "kilograms", es: "kilogramos" },
  "kg/m2": { en: "", es: "" },
  lb: pounds,
  "[lb_av]": pounds,
  cm: { en: "centimeters", es: "centímetros" },
  in: inches,
  "[in_i]": inches,
  Cel: celsius,
  "°C": celsius,
  "[degF]": fahrenheit,
  "°F": fahrenheit,
};

export const sayUnit = (unit: string, { say }: Phrasing): string => {
  const known = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return known ? say(known) : unit;
};
