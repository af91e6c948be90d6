import { Tabs } from "@chakra-ui/react/tabs";
import { Badge } from "@chakra-ui/react/badge";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { Stack } from "@chakra-ui/react/stack";
import { useTabStrip } from "../../../components/layout/tabs.tsx";
import { BasicFields } from "./basic-fields.tsx";
import { formTabs, type useFormTab } from "./form-tabs.ts";
import { OAuthFields } from "./oauth-fields.tsx";
import type { ProviderFieldsProps } from "./provider-values.ts";
import { SecurityFields } from "./security-fields.tsx";
import { SwitchField } from "../../../components/form/switch-field.tsx";
import { TextAreaField } from "../../../components/form/fields.tsx";

const AdvancedFields = ({ field }: ProviderFieldsProps) => {
  const { error: _never, ...isActive } = field("isActive");
  return (
    <Stack gap="5">
      <TextAreaField label="Description" rows={4} isOptional {...field("description")} />
      <SwitchField label="Enable provider" hint="Voice agents reach a record system only while it is enabled." {...isActive} />
    </Stack>
  );
};

const parts = { basic: BasicFields, oauth: OAuthFields, security: SecurityFields, advanced: AdvancedFields };

type Props = ProviderFieldsProps & Pick<ReturnType<typeof useFormTab>, "tab" | "setTab" | "problemsIn">;

export const ProviderTabs = ({ tab, setTab, problemsIn, ...fields }: Props) => {
  const list = useTabStrip(tab, { selects: true });
  return (
    <Tabs.Root value={tab} onValueChange={({ value }) => setTab(formTabs.find((one) => one.value === value)?.value ?? "basic")}>
      <Tabs.List ref={list} aria-label="Parts of the configuration">
        {formTabs.map(({ value, label }) => (
          <Tabs.Trigger key={value} value={value} flexShrink="0">
            {label}
            <ProblemCount count={problemsIn(value)} />
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {formTabs.map(({ value }) => {
        const Fields = parts[value];
        return (
          <Tabs.Content key={value} value={value} minH={{ sm: "22rem" }}>
            <Fields {...fields} />
          </Tabs.Content>
        );
      })}
    </Tabs.Root>
  );
};

const ProblemCount = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <Badge colorPalette="red">
      {count}
      <VisuallyHidden>{count === 1 ? " problem" : " problems"}</VisuallyHidden>
    </Badge>
  );
