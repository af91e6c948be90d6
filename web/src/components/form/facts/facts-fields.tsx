import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { FactList, FactText } from "@vitaline/contract";
import { type FieldValues, type Path, useWatch } from "react-hook-form";
import { errorWithin } from "../../../lib/forms/array-fields.ts";
import { TextAreaField } from "../fields.tsx";
import type { FactsProps } from "./facts-props.ts";
import { HolidayFields } from "./holiday-fields.tsx";
import { QuestionFields } from "./question-fields.tsx";

const perLine = "One per line.";
const texts: readonly { name: FactText | FactList; label: string; hint: string; rows: number }[] = [
  { name: "directions", label: "Directions", hint: "How callers find the office: landmarks, exits, the entrance, the floor.", rows: 3 },
  { name: "parking", label: "Parking", hint: "Where callers can park, and what it costs.", rows: 2 },
  {
    name: "insurance",
    label: "Insurance accepted",
    hint: `${perLine} Callers with another plan are told that the office confirms it.`,
    rows: 4,
  },
  { name: "selfPayPrices", label: "Prices without insurance", hint: `${perLine} For example: New patient visit: $180`, rows: 3 },
  { name: "whatToBring", label: "What to bring", hint: perLine, rows: 3 },
  { name: "languages", label: "Languages spoken", hint: perLine, rows: 3 },
  { name: "telehealth", label: "Telehealth", hint: "Which visits can be by video, and how.", rows: 2 },
  { name: "afterHours", label: "After hours", hint: "What callers can do, or whom they can call, while the office is closed.", rows: 2 },
];

/** What voice agents may tell any caller about an office. */
export const FactsFields = <V extends FieldValues, Sent>(props: FactsProps<V, Sent>) => (
  <Stack gap="6">
    <chakra.p textStyle="sm" color="fg.muted">
      Voice agents tell these to any caller who asks. What is not set, they do not know: they offer to take the question for your staff.
      {props.inherited ? " Leave a fact blank to use your organization's." : null}
    </chakra.p>
    {texts.map((text) => (
      <FactField key={text.name} {...props} {...text} />
    ))}
    <HolidayFields {...props} />
    <QuestionFields {...props} />
  </Stack>
);

const shown = (fact: string | readonly string[] | null | undefined): string => (typeof fact === "string" ? fact : (fact ?? []).join(" · "));

const FactField = <V extends FieldValues, Sent>({
  form,
  field,
  place,
  inherited,
  name,
  label,
  hint,
  rows,
}: FactsProps<V, Sent> & (typeof texts)[number]) => {
  const path = `${place}.${name}` as Path<V>;
  const isBlank = String(useWatch({ control: form.control, name: path }) ?? "").trim() === "";
  const ofOrganization = shown(inherited?.[name]);
  return (
    <TextAreaField
      label={label}
      isOptional
      rows={rows}
      hint={isBlank && ofOrganization !== "" ? `As the organization: ${ofOrganization}` : hint}
      {...field(path)}
      error={errorWithin(form.formState.errors, path)}
    />
  );
};
