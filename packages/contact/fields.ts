import { seal, unseal } from "@vitaline/aws";
import type { ContactForm } from "@vitaline/contract";

/** What a visitor said, without what only programs fill in. */
export type ContactFields = Omit<ContactForm, "website">;

/** Visitors belong to no tenant. */
const nobody = "platform";

export const sealFields = (fields: ContactFields): Promise<string> => seal("contact", nobody, JSON.stringify(fields));
export const openFields = async (sealed: string): Promise<ContactFields> =>
  JSON.parse(await unseal("contact", nobody, sealed)) as ContactFields;
