import { chakra } from "@chakra-ui/react/styled-system";
import { ChecksField } from "../../components/form/checks-field.tsx";
import { ChoiceField, TextAreaField, TextField } from "../../components/form/fields.tsx";
import { type ArgumentField, labelOf } from "./schema-fields.ts";
import { splitLines, type ArgumentTexts } from "./typed-arguments.ts";

type FormValues = {
  typed: ArgumentTexts;
  /** Paths of fields that a run needs although the schema does not require them */
  needed: readonly string[];
  /** By path */
  errors: Readonly<Record<string, string>>;
  onType: (path: string, text: string) => void;
};

const omitOption = { value: "", label: "Leave out" };
const yesNoOptions = [omitOption, { value: "true", label: "Yes" }, { value: "false", label: "No" }];

/** Without autocomplete, because the values are patient data. */
export const ArgumentControl = ({ field, values }: { field: ArgumentField; values: FormValues }) => {
  const { path, label, isRequired } = field;
  const text = values.typed[path] ?? "";
  const named = { label, hint: hintOf(field), error: values.errors[path], isOptional: !isRequired && !values.needed.includes(path) };
  const typing = {
    name: path,
    value: text,
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => values.onType(path, target.value),
  };
  switch (field.kind) {
    case "group":
      return <ArgumentGroup field={field} values={values} />;
    case "choice":
      return <ChoiceField {...named} {...typing} options={[omitOption, ...field.options.map(toOption)]} />;
    case "yesNo":
      return <ChoiceField {...named} {...typing} options={yesNoOptions} />;
    case "choices":
      return (
        <ChecksField
          {...named}
          name={path}
          options={field.options.map(toOption)}
          isChecked={(value) => splitLines(text).includes(value)}
          onChange={({ target }) => values.onType(path, toggleValue(field.options, text, target.value))}
        />
      );
    case "lines":
      return <TextAreaField {...named} {...typing} rows={3} />;
    case "json":
      return <TextAreaField {...named} {...typing} rows={4} fontFamily="mono" spellCheck={false} />;
    case "text":
      return <TextField {...named} {...typing} spellCheck={false} />;
    case "number":
      return <TextField {...named} {...typing} inputMode="decimal" />;
    case "date":
      return <TextField {...named} {...typing} type="date" />;
  }
};

const hintOf = ({ kind, hint }: ArgumentField): string | undefined => {
  const how = { lines: "One per line.", json: "As JSON." }[kind as string];
  return [hint && (how ? `${hint}.` : hint), how].filter(Boolean).join(" ") || undefined;
};

const ArgumentGroup = ({ field, values }: { field: Extract<ArgumentField, { kind: "group" }>; values: FormValues }) => (
  <chakra.fieldset display="grid" gap="5" minW="0" ps="4" borderInlineStartWidth="2px" borderColor="border">
    <chakra.legend textStyle="sm" fontWeight="semibold" mb="3">
      {field.label}
    </chakra.legend>
    {field.fields.map((inner) => (
      <ArgumentControl key={inner.path} field={inner} values={values} />
    ))}
  </chakra.fieldset>
);

const toOption = (value: string) => ({ value, label: labelOf(value) });

const toggleValue = (options: readonly string[], text: string, value: string): string => {
  const ticked = splitLines(text);
  return options.filter((option) => (option === value ? !ticked.includes(option) : ticked.includes(option))).join("\n");
};
