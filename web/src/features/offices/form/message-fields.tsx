import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useId, useRef } from "react";
import { fillTemplate } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import { ChoiceField, TextAreaField } from "../../../components/form/fields.tsx";
import { languageNames, languageOptions } from "../../../lib/format/labels.ts";
import type { TextName, TextsName } from "./office-values.ts";
import type { OfficeFormState, Organization } from "./use-office-form.ts";

type Props = { office: OfficeFormState; organization: Organization };
const ofOffice = ["office", "address", "phone"];

type Text = { set: TextsName; name: TextName; label: string; placeholders: readonly string[] };

const ofVisit = [...ofOffice, "date", "time"];
const texts: readonly Text[] = [
  { set: "messageTemplates", name: "appointmentConfirmation", label: "Appointment confirmation", placeholders: ofVisit },
  { set: "messageTemplates", name: "appointmentReminder", label: "Appointment reminder", placeholders: ofVisit },
  { set: "messageTemplates", name: "followUp", label: "Follow-up", placeholders: ofOffice },
  { set: "spanishMessageTemplates", name: "appointmentConfirmation", label: "Spanish appointment confirmation", placeholders: ofVisit },
  { set: "spanishMessageTemplates", name: "appointmentReminder", label: "Spanish appointment reminder", placeholders: ofVisit },
  { set: "spanishMessageTemplates", name: "followUp", label: "Spanish follow-up", placeholders: ofOffice },
];

export const MessageFields = (props: Props) => (
  <Stack gap="8">
    <chakra.p textStyle="sm" color="fg.muted">
      Patients get these texts in the language they speak. Leave a text blank to use your organization&apos;s. A sentence whose placeholder
      cannot be filled in is left out.
    </chakra.p>
    <ChoiceField
      label="Usual language"
      hint="For callers and patients whose language is not known."
      options={[{ value: "", label: `Same as the organization: ${languageNames[props.organization.language]}` }, ...languageOptions]}
      {...props.office.field("language")}
    />
    {texts.map((text) => (
      <MessageField key={text.label} {...props} {...text} />
    ))}
  </Stack>
);

const MessageField = ({ office, organization, set, name, label, placeholders }: Props & Text) => {
  const frame = useRef<HTMLDivElement>(null);
  const field = `${set}.${name}` as const;

  const insert = (placeholder: string) => {
    const area = frame.current?.querySelector("textarea");
    if (!area) return;
    area.setRangeText(`{${placeholder}}`, area.selectionStart, area.selectionEnd, "end");
    office.form.setValue(field, area.value, { shouldDirty: true });
    area.focus();
  };
  return (
    <Stack ref={frame} gap="3">
      <TextAreaField label={label} isOptional rows={3} lang={languageOf[set]} {...office.field(field)} />
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
      <MessagePreview office={office} organization={organization} set={set} name={name} label={label} />
    </Stack>
  );
};

const languageOf = { messageTemplates: "en", spanishMessageTemplates: "es" } as const;

/** In place of what the office does not have, and an appointment. */
const examples: Record<TextsName, Record<string, string>> = {
  messageTemplates: {
    office: "this office",
    address: "your organization's address",
    phone: "your organization's phone number",
    date: "Tuesday, March 3",
    time: "2:30 PM",
  },
  spanishMessageTemplates: {
    office: "este consultorio",
    address: "la dirección de su organización",
    phone: "teléfono de su organización",
    date: "martes 3 de marzo",
    time: "las 2:30 p.m.",
  },
};

const MessagePreview = ({ office: { form }, organization, set, name, label }: Props & Omit<Text, "placeholders">) => {
  const titleId = useId();
  const [text, called, address, phone] = useWatch({
    control: form.control,
    name: [`${set}.${name}`, "name", "address", "phone"],
  });
  const isInherited = text.trim() === "";
  const shown = isInherited ? organization[set][name] : text;
  const lacking = (
    [
      ["address", address],
      ["phone", phone],
    ] as const
  ).filter(([word, own]) => !own.trim() && shown.includes(`{${word}}`));
  const own = { office: called.trim(), address: address.trim(), phone: phone.trim() };
  const values = { ...examples[set], ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== "")) };
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
        <chakra.span lang={languageOf[set]}>{fillTemplate(shown, values)}</chakra.span>
        {fillTemplate(shown, values) === "" ? "Nothing: every sentence has a placeholder that cannot be filled in." : null}
      </chakra.p>
      {lacking.length === 0 ? null : (
        <chakra.p textStyle="sm" color="fg.muted" mt="2">
          A sentence whose detail your organization has not set either is left out.
        </chakra.p>
      )}
    </chakra.section>
  );
};
