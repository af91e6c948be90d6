import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useRef } from "react";
import { TextAreaField } from "../../components/form/fields.tsx";
import { MessagePreview } from "./message-preview.tsx";
import type { TextName } from "./office-values.ts";
import type { OfficeFormState } from "./use-office-form.ts";
import type { Organization } from "./use-organization.ts";

const ofOffice = ["office", "address", "phone"];
const texts: readonly { name: TextName; label: string; placeholders: readonly string[] }[] = [
  { name: "appointmentConfirmation", label: "Appointment confirmation", placeholders: [...ofOffice, "date", "time"] },
  { name: "appointmentReminder", label: "Appointment reminder", placeholders: [...ofOffice, "date", "time"] },
  { name: "followUp", label: "Follow-up", placeholders: ofOffice },
];

type Props = { office: OfficeFormState; organization: Organization };

const MessageField = ({ office, organization, name, label, placeholders }: Props & (typeof texts)[number]) => {
  const frame = useRef<HTMLDivElement>(null);
  const field = `messageTemplates.${name}` as const;

  /** Where the cursor is. */
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

/** An office's own words to patients; a blank one is the organization's. */
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
