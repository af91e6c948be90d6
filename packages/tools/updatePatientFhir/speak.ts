import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import type { Changed } from "./change-patient.ts";
import type { Output } from "./schema.ts";

const changes: Record<Changed, Bilingual> = {
  phone: { en: "your phone number", es: "su número de teléfono" },
  email: { en: "your email address", es: "su correo electrónico" },
  address: { en: "your address", es: "su dirección" },
  preference: { en: "how you'd like to be reached", es: "cómo prefiere que le contacten" },
};

export function speak(output: Output, { say, list, offerOffice: office }: Phrasing): string {
  switch (output.result) {
    case "in_person":
      return say({
        en: `A name or a date of birth can't be changed over the phone; the office needs to see your ID. ${office}`,
        es: `El nombre y la fecha de nacimiento no se cambian por teléfono; el consultorio necesita ver su identificación. ${office}`,
      });
    case "enough":
      return say({
        en: `Your contact details have been changed several times today, so I can't change them again by phone. ${office}`,
        es: `Sus datos ya se cambiaron varias veces hoy, así que no puedo volver a cambiarlos por teléfono. ${office}`,
      });
    case "unchanged":
      return say({
        en: "That's what we have on file already, so there is nothing to change.",
        es: "Eso es lo que ya tenemos registrado, así que no hay nada que cambiar.",
      });
    case "updated": {
      const changed = list(
        output.changed.map((what) => say(changes[what])),
        { most: Infinity },
      );
      return say({
        en: `Done, I've changed ${changed} on file. If anything about that isn't right, please tell me now.`,
        es: `Listo, cambié ${changed} en su expediente. Si algo no está bien, por favor dígamelo ahora.`,
      });
    }
  }
}
