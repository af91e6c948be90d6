import * as z from "zod/mini";
import type { Example } from "../sdk/define-tool.ts";
import type { Phrasing } from "../sdk/phrasing.ts";

export const Output = z.object({
  firstName: z.string(),
  lastName: z.string(),
  /** The last two digits. */
  phoneEndsIn: z.nullable(z.string()),
  /** The first letter. */
  emailStartsWith: z.nullable(z.string()),
});
type Output = z.output<typeof Output>;

export function speak({ firstName, lastName, phoneEndsIn, emailStartsWith }: Output, { say, list }: Phrasing): string {
  const name = `${firstName} ${lastName}`.trim();
  const phone = say({ en: `a phone number ending in ${phoneEndsIn}`, es: `un teléfono que termina en ${phoneEndsIn}` });
  const email = say({
    en: `an email address starting with the letter ${emailStartsWith}`,
    es: `un correo que empieza con la letra ${emailStartsWith}`,
  });
  const known = list([...(phoneEndsIn ? [phone] : []), ...(emailStartsWith ? [email] : [])]);
  return known
    ? say({ en: `I have the record of ${name} here, with ${known} on file.`, es: `Aquí tengo el expediente de ${name}, con ${known}.` })
    : say({
        en: `I have the record of ${name} here, without a phone number or email address on file.`,
        es: `Aquí tengo el expediente de ${name}, sin teléfono ni correo electrónico registrado.`,
      });
}

const ada = { firstName: "Ada", lastName: "Byron" };

export const examples: readonly Example<Output>[] = [
  { situation: "Phone and email are on file", output: { ...ada, phoneEndsIn: "77", emailStartsWith: "A" } },
  { situation: "Only a phone number is on file", output: { ...ada, phoneEndsIn: "77", emailStartsWith: null } },
  { situation: "Neither is on file", output: { ...ada, phoneEndsIn: null, emailStartsWith: null } },
];
