import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import Play from "lucide-react/dist/esm/icons/play.mjs";
import { type FormEvent, useRef, useState } from "react";
import { ArgumentControl } from "./argument-control.tsx";
import type { ArgumentField } from "./schema-fields.ts";
import { readArguments, type ArgumentTexts } from "./typed-arguments.ts";

type Props = {
  tool: string;
  fields: readonly ArgumentField[];
  typed: ArgumentTexts;
  isBusy: boolean;
  onType: (path: string, text: string) => void;
  onRun: (values: Record<string, unknown>) => void;
};

export const ToolForm = ({ tool, fields, typed, isBusy, onType, onRun }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  const [isTried, setIsTried] = useState(false);
  const { values, errors } = readArguments(fields, typed);
  const needs = requirementsOf(tool);

  const run = (event: FormEvent) => {
    event.preventDefault();
    const [wrong] = Object.keys(errors);
    setIsTried(wrong !== undefined);
    if (wrong === undefined) onRun(values);
    else form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(wrong)}"]`)?.focus();
  };

  return (
    <chakra.form ref={form} noValidate onSubmit={run} display="grid" gap="5" aria-label="Arguments">
      {needs.text ? <Text textStyle="sm">{needs.text}</Text> : null}
      <chakra.div display="grid" gridTemplateColumns={{ base: "minmax(0, 1fr)", sm: "repeat(2, minmax(0, 1fr))" }} columnGap="5" rowGap="5">
        {fields.map((field) => (
          <chakra.div key={field.path} gridColumn={isWide(field) ? "1 / -1" : undefined} minW="0">
            <ArgumentControl field={field} values={{ typed, needed: needs.fields, errors: isTried ? errors : {}, onType }} />
          </chakra.div>
        ))}
      </chakra.div>
      <Button
        type="submit"
        alignSelf="start"
        justifySelf="start"
        aria-disabled={isBusy}
        onClick={(event) => isBusy && event.preventDefault()}
      >
        <Play aria-hidden />
        {isBusy ? "Running..." : "Run tool"}
      </Button>
    </chakra.form>
  );
};

type Requirements = {
  text: string;
  fields: readonly string[];
};

const noRequirements: Requirements = { text: "", fields: [] };

/** Requirements that the schemas leave open and the tools check themselves. */
export const toolRequirements: Readonly<Record<string, Requirements>> = {
  verifyPatientIdentity: {
    text: "First name, last name, date of birth and one detail on file are needed: phone number, zip code, address, medical record number or email. After that, a second detail alone, or “Send code” and then the code, verifies twice.",
    fields: ["firstName", "lastName", "dateOfBirth"],
  },
  createPatientFhir: { text: "A phone number or an email address is needed, too.", fields: [] },
  updatePatientFhir: { text: "Fill in what is to change: one field at least.", fields: [] },
  scheduleAppointment: {
    text: "To find or to list, nothing more is needed. To book: a slot ID or start that was found, or a date with a time. To cancel: an appointment ID or its date, unless the patient has only one. To reschedule: both of these.",
    fields: [],
  },
};

const requirementsOf = (tool: string): Requirements => toolRequirements[tool] ?? noRequirements;

const isWide = ({ kind }: ArgumentField): boolean => ["group", "choices", "lines", "json"].includes(kind);
