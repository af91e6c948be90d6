import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import type { FhirProvider } from "@vitaline/contract";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { DiscoverButton } from "./discover-button.tsx";
import { presetValues } from "./preset-values.ts";
import { asTyped, type ProviderFieldsProps } from "./provider-fields.ts";
import { typeNames } from "./provider-names.ts";

const types = Object.entries(typeNames).map(([value, label]) => ({ value, label }));
const versions = ["R4", "STU3", "DSTU2"].map((value) => ({ value, label: value }));

export const BasicFields = ({ provider, field, form, presets, discover }: ProviderFieldsProps) => {
  const choose = field("providerType");
  const fill = (providerType: FhirProvider["providerType"]) => {
    const filled = presetValues(form.getValues(), providerType, presets);
    for (const [name, value] of Object.entries(filled)) form.setValue(name as keyof typeof filled, value, asTyped);
  };
  return (
    <Stack gap="5">
      <TextField label="Provider name" autoComplete="off" {...field("name")} />
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
        {provider ? (
          <TextField
            label="Provider type"
            hint="The type cannot change. Add another provider instead."
            error={undefined}
            value={typeNames[provider.providerType]}
            readOnly
          />
        ) : (
          <ChoiceField
            label="Provider type"
            options={types}
            {...choose}
            onChange={async (event) => {
              await choose.onChange(event);
              fill(form.getValues("providerType"));
            }}
          />
        )}
        <ChoiceField label="FHIR version" options={versions} {...field("fhirVersion")} />
      </SimpleGrid>
      <TextField
        label="Base URL"
        hint="The address of the FHIR server, as in https://ehr.example/fhir/r4"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        {...field("baseUrl")}
      />
      {discover ? <DiscoverButton form={form} discover={discover} /> : null}
    </Stack>
  );
};
