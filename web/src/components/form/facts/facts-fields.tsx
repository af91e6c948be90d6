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
const texts: Record<FactText | FactList, { label: string; hint: string; rows: number }> = {
  directions: { label: "Directions", hint: "How callers find the office: landmarks, exits, the entrance, the floor.", rows: 3 },
  parking: { label: "Parking", hint: "Where callers can park, and what it costs.", rows: 2 },
  insurance: {
    label: "Insurance accepted",
    hint: `${perLine} Callers with any other plan are told that the office will confirm it.`,
    rows: 4,
  },
  selfPayPrices: { label: "Prices without insurance", hint: `${perLine} For example: New patient visit: $180`, rows: 3 },
  whatToBring: { label: "What to bring", hint: perLine, rows: 3 },
  languages: { label: "Languages spoken", hint: perLine, rows: 3 },
  telehealth: { label: "Telehealth", hint: "Which visits can be by video, and how.", rows: 2 },
  afterHours: { label: "After hours", hint: "What callers can do, or whom they can call, while the office is closed.", rows: 2 },
};
const names = Object.keys(texts) as (keyof typeof texts)[];

/** What voice agents may tell any caller about an office. */
export const FactsFields = <V extends FieldValues, Sent>(props: FactsProps<V, Sent>) => (
  <Stack gap="6">
    <chakra.p textStyle="sm" color="fg.muted">
      Voice agents tell these facts to any caller who asks. If a fact is not set, they offer to take the question for your staff.
      {props.inherited ? " Leave a fact blank to use your organization's." : null}
    </chakra.p>
    {names.map((name) => (
      <FactField key={name} {...props} name={name} />
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
}: FactsProps<V, Sent> & { name: keyof typeof texts }) => {
  const { label, hint, rows } = texts[name];
  const path = `${place}.${name}` as Path<V>;
  const isBlank = String(useWatch({ control: form.control, name: path }) ?? "").trim() === "";
  const ofOrganization = shown(inherited?.[name]);
  return (
    <TextAreaField
      label={label}
      isOptional
      rows={rows}
      hint={isBlank && ofOrganization !== "" ? `Same as the organization: ${ofOrganization}` : hint}
      {...field(path)}
      error={errorWithin(form.formState.errors, path)}
    />
  );
};
