import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import type { FhirProvider } from "@vitaline/contract";
import { Button } from "@chakra-ui/react/button";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { markDirty, presetValues, type ProviderFieldsProps } from "./provider-values.ts";
import { typeNames } from "../provider-format.ts";
import { useInlineAction } from "../../../lib/api/use-action.ts";
import { announce } from "../../../lib/toast.ts";
import { Failure } from "../../../components/feedback/alerts.tsx";

const typeOptions = Object.entries(typeNames).map(([value, label]) => ({ value, label }));
const versionOptions = ["R4", "STU3", "DSTU2"].map((value) => ({ value, label: value }));

export const BasicFields = ({ provider, field, form, presets, discover }: ProviderFieldsProps) => {
  const choose = field("providerType");
  const fill = (providerType: FhirProvider["providerType"]) => {
    const filled = presetValues(form.getValues(), providerType, presets);
    for (const [name, value] of Object.entries(filled)) form.setValue(name as keyof typeof filled, value, markDirty);
  };
  return (
    <Stack gap="5">
      <TextField label="Provider name" autoComplete="off" {...field("name")} />
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
        {provider ? (
          <TextField
            label="Provider type"
            hint="The type cannot be changed. Add another provider instead."
            error={undefined}
            value={typeNames[provider.providerType]}
            readOnly
          />
        ) : (
          <ChoiceField
            label="Provider type"
            options={typeOptions}
            {...choose}
            onChange={async (event) => {
              await choose.onChange(event);
              fill(form.getValues("providerType"));
            }}
          />
        )}
        <ChoiceField label="FHIR version" options={versionOptions} {...field("fhirVersion")} />
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

type Props = Pick<ProviderFieldsProps, "form"> & { discover: NonNullable<ProviderFieldsProps["discover"]> };

const DiscoverButton = ({ form, discover }: Props) => {
  const { run, isBusy, failure } = useInlineAction(async () => {
    if (!(await form.trigger("baseUrl", { shouldFocus: true }))) return;
    const { authUrl, tokenUrl, scopes } = await discover(form.getValues("baseUrl"));
    if (authUrl) form.setValue("authUrl", authUrl, markDirty);
    if (tokenUrl) form.setValue("tokenUrl", tokenUrl, markDirty);
    if (scopes) form.setValue("scopes", scopes, markDirty);
    announce({ type: "success", title: "Server found", description: "Its addresses and scopes are filled in under OAuth Config." });
  });
  return (
    <>
      <Failure text={failure} />
      <Button size="sm" variant="outline" alignSelf="flex-start" aria-disabled={isBusy} onClick={run}>
        {isBusy ? "Discovering..." : "Discover addresses and scopes"}
      </Button>
    </>
  );
};
