import type { Sign } from "./sign.ts";
import { allergyAndIllnessSigns } from "./allergy-and-illness.ts";
import { bleedingSigns } from "./bleeding.ts";
import { burnSigns } from "./burns.ts";
import { breathingSigns } from "./breathing.ts";
import { consciousnessSigns } from "./consciousness.ts";
import { heartSigns } from "./heart.ts";
import { helpSigns } from "./help.ts";
import { injurySigns } from "./injury.ts";
import { poisoningSigns } from "./poisoning.ts";
import { pregnancyAndInfantSigns } from "./pregnancy-and-infants.ts";
import { selfHarmSigns } from "./self-harm.ts";
import { strokeSigns } from "./stroke.ts";
import { suicideSigns } from "./suicide.ts";

export const signs: readonly Sign[] = [
  ...heartSigns,
  ...breathingSigns,
  ...strokeSigns,
  ...consciousnessSigns,
  ...bleedingSigns,
  ...injurySigns,
  ...burnSigns,
  ...pregnancyAndInfantSigns,
  ...allergyAndIllnessSigns,
  ...poisoningSigns,
  ...suicideSigns,
  ...selfHarmSigns,
  ...helpSigns,
];
