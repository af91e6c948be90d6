import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useId, useRef } from "react";
import { fillTemplate } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import { TextAreaField } from "../../../components/form/fields.tsx";
import type { TextName } from "./office-values.ts";
import type { OfficeFormState, Organization } from "./use-office-form.ts";

type Props = { office: OfficeFormState; organization: Organization };
const ofOffice = ["office", "address", "phone"];

const texts: readonly { name: TextName; label: string; placeholders: readonly string[] }[] = [
  { name: "appointmentConfirmation", label: "Appointment confirmation", placeholders: [...ofOffice, "date", "time"] },
  { name: "appointmentReminder", label: "Appointment reminder", placeholders: [...ofOffice, "date", "time"] },
  { name: "followUp", label: "Follow-up", placeholders: ofOffice },
];

export const MessageFields = (props: Props) => (
  <Stack gap="8">
    <chakra.p textStyle="sm" color="fg.muted">
      Leave a text blank to use your organization&apos;s. A sentence whose placeholder cannot be filled in is left out.
    </chakra.p>
    {texts.map((text) => (
      <MessageField key={text.name} {...props} {...text} />
    ))}
  </Stack>
);

const MessageField = ({ office, organization, name, label, placeholders }: Props & (typeof texts)[number]) => {
  const frame = useRef<HTMLDivElement>(null);
  const field = `messageTemplates.${name}` as const;

  const insert = (placeholder: string) => {
    const area = frame.current?.querySelector("textarea");
    if (!area) return;
    area.setRangeText(`{${placeholder}}`, area.selectionStart, area.selectionEnd, "end");
    office.form.setValue(field, area.value, { shouldDirty: true });
    area.focus();
  };
  return (
    <Stack ref={frame} gap="3">
      <TextAreaField label={label} isOptional rows={3} {...office.field(field)} />
      <chakra.fieldset display="flex" flexWrap="wrap" gap="2" alignItems="center" minW="0" aria-label={`Placeholders of ${label}`}>
        <chakra.span textStyle="sm" color="fg.muted">
          Insert
        </chakra.span>
        {placeholders.map((placeholder) => (
          <Button key={placeholder} variant="outline" size="sm" fontFamily="mono" fontWeight="normal" onClick={() => insert(placeholder)}>
            {`{${placeholder}}`}
            <VisuallyHidden>{` into ${label}`}</VisuallyHidden>
          </Button>
        ))}
      </chakra.fieldset>
      <MessagePreview office={office} organization={organization} name={name} label={label} />
    </Stack>
  );
};

type MessagePreviewProps = {
  office: OfficeFormState;
  organization: Organization;
  name: TextName;
  label: string;
};

const exampleVisit = { date: "Tuesday, March 3", time: "2:30 PM" };

const MessagePreview = ({ office: { form }, organization, name, label }: MessagePreviewProps) => {
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
        {fillTemplate(shown, values) || "Nothing: the text has no sentence that can be filled in."}
      </chakra.p>
      {lacking.length === 0 ? null : (
        <chakra.p textStyle="sm" color="fg.muted" mt="2">
          A sentence whose detail your organization has not set either is left out.
        </chakra.p>
      )}
    </chakra.section>
  );
};
