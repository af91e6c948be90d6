import type { EmergencyKind, Language } from "./signs/sign.ts";

/** Said alone: nothing is asked or offered after it. */
export const emergencyLines: Record<Language, Record<EmergencyKind, string>> = {
  en: {
    medical: "If this is an emergency, please hang up and call 911 right now.",
    self_harm: "If you might hurt yourself or someone else, please hang up and call 911, or call or text 988 at any time.",
    poisoning:
      "Please hang up and call Poison Control at 1-800-222-1222 right now, or 911 if anyone has passed out, has a seizure or can't breathe.",
  },
  es: {
    medical: "Si es una emergencia, por favor cuelgue y llame al 911 ahora mismo.",
    self_harm:
      "Si podría hacerse daño o hacerle daño a alguien, por favor cuelgue y llame al 911, o al 988 y oprima el 2, a cualquier hora.",
    poisoning:
      "Por favor cuelgue y llame ya a Control de Envenenamientos, 1-800-222-1222, o al 911 si alguien se desmayó, convulsiona o no puede respirar.",
  },
};
