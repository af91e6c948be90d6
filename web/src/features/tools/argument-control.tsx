import { chakra } from "@chakra-ui/react/styled-system";
import { ChecksField } from "../../components/form/checks-field.tsx";
import { ChoiceField, TextAreaField, TextField } from "../../components/form/fields.tsx";
import { type ArgumentField, labelOf } from "./schema-fields.ts";
import { linesOf, type Typed } from "./typed-arguments.ts";

type FormValues = {
  typed: Typed;
  /** Paths of fields that a run needs although the schema does not require them */ needed: readonly string[];
  /** By path */ errors: Readonly<Record<string, string>>;
  onType: (path: string, text: string) => void;
};

const leftOut = { value: "", label: "Leave out" };
const yesNo = [leftOut, { value: "true", label: "Yes" }, { value: "false", label: "No" }];

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
      return <ChoiceField {...named} {...typing} options={[leftOut, ...field.options.map(asOption)]} />;
    case "yesNo":
      return <ChoiceField {...named} {...typing} options={yesNo} />;
    case "choices":
      return (
        <ChecksField
          {...named}
          name={path}
          options={field.options.map(asOption)}
          isChecked={(value) => linesOf(text).includes(value)}
          onChange={({ target }) => values.onType(path, toggled(field.options, text, target.value))}
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
  const how = { lines: "One a line.", json: "As JSON." }[kind as string];
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

const asOption = (value: string) => ({ value, label: labelOf(value) });

const toggled = (options: readonly string[], text: string, value: string): string => {
  const ticked = linesOf(text);
  return options.filter((option) => (option === value ? !ticked.includes(option) : ticked.includes(option))).join("\n");
};
