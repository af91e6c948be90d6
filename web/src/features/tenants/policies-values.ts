import { Policies } from "@vitaline/contract";
import * as z from "zod/mini";
import type { Saving } from "./tenant-parts.tsx";

/** The policies that are on or off. */
export const Switches = z.omit(Policies, { toolLevels: true });
export type Switches = z.infer<typeof Switches>;

export const switches = [
  {
    name: "requireTotp",
    label: "Require two-factor sign-in",
    hint: "Its people have to set up an authenticator before they can go on.",
  },
  {
    name: "ownFhirProviders",
    label: "Own FHIR providers",
    hint: "Its administrators can add and change record systems themselves, rather than ask for them.",
  },
  {
    name: "messageAnyContact",
    label: "Messages to any contact",
    hint: "Voice agents may also write to numbers and addresses that are not on file for the patient.",
  },
  {
    name: "messageFreeText",
    label: "Messages in free text",
    hint: "Voice agents may also write in their own words, beside the clinic's texts.",
  },
] as const satisfies readonly { name: keyof Switches; label: string; hint: string }[];

const differing = (before: Switches, after: Switches) => switches.filter(({ name }) => before[name] !== after[name]);

/** Only what was switched is sent, so that the rest stays as whoever else changes it leaves it. */
export const switched = (before: Switches, after: Switches): Partial<Switches> =>
  Object.fromEntries(differing(before, after).map(({ name }) => [name, after[name]]));

/** In words, what differs. */
export const differences = (before: Switches, after: Switches): string[] => differing(before, after).map(({ label }) => label);

export const policiesOf = ({
  policies: { requireTotp, ownFhirProviders, messageAnyContact, messageFreeText },
}: Saving["tenant"]): Switches => ({ requireTotp, ownFhirProviders, messageAnyContact, messageFreeText });
