import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { filled } from "@vitaline/contract";
import { useId } from "react";
import { useWatch } from "react-hook-form";
import type { TextName } from "./office-values.ts";
import type { OfficeFormState } from "./use-office-form.ts";
import type { Organization } from "./use-organization.ts";

/** A visit that never was, to show how a text reads. */
const exampleVisit = { date: "Tuesday, March 3", time: "2:30 PM" };

type Props = { office: OfficeFormState; organization: Organization; name: TextName; /** The text's, as above its field. */ label: string };

/** A text as a patient would read it, the inherited one where it is blank. */
export const MessagePreview = ({ office: { form }, organization, name, label }: Props) => {
  const titleId = useId();
  const [text, called, address, phone] = useWatch({
    control: form.control,
    name: [`messageTemplates.${name}`, "name", "address", "phone"],
  });
  const isInherited = text.trim() === "";
  const shown = isInherited ? organization.messageTemplates[name] : text;
  const lacking = (
    [
      ["address", address],
      ["phone", phone],
    ] as const
  ).filter(([word, own]) => !own.trim() && shown.includes(`{${word}}`));
  const values = {
    office: called.trim() || "this office",
    address: address.trim() || "your organization's address",
    phone: phone.trim() || "your organization's phone number",
    ...exampleVisit,
  };
  return (
    <chakra.section
      aria-labelledby={titleId}
      bg="bg.subtle"
      borderWidth="1px"
      borderColor="border"
      borderRadius="l2"
      px="4"
      py="3"
      w="full"
    >
      <chakra.p id={titleId} textStyle="sm" fontWeight="medium" color="fg.muted">
        {isInherited ? "What a patient reads now: your organization's text" : "What a patient reads"}
        <VisuallyHidden>{` (${label})`}</VisuallyHidden>
      </chakra.p>
      <chakra.p textStyle="sm" mt="1" overflowWrap="anywhere">
        {filled(shown, values) || "Nothing: the text has no sentence that can be filled in."}
      </chakra.p>
      {lacking.length === 0 ? null : (
        <chakra.p textStyle="sm" color="fg.muted" mt="2">
          A sentence whose detail your organization has not set either is left out.
        </chakra.p>
      )}
    </chakra.section>
  );
};
