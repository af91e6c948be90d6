import { Tabs } from "@chakra-ui/react/tabs";
import { useTabStrip } from "../../components/layout/tabs.tsx";
import { AdvancedFields } from "./advanced-fields.tsx";
import { BasicFields } from "./basic-fields.tsx";
import { formTabs } from "./form-tabs.ts";
import { OAuthFields } from "./oauth-fields.tsx";
import { ProblemCount } from "./problem-count.tsx";
import type { ProviderFieldsProps } from "./provider-fields.ts";
import { SecurityFields } from "./security-fields.tsx";
import type { useFormTab } from "./use-form-tab.ts";

const parts = { basic: BasicFields, oauth: OAuthFields, security: SecurityFields, advanced: AdvancedFields };

type Props = ProviderFieldsProps & Pick<ReturnType<typeof useFormTab>, "tab" | "setTab" | "problemsIn">;

/** The form's four parts, one at a time; each tab says how many problems its part has. */
export const ProviderTabs = ({ tab, setTab, problemsIn, ...fields }: Props) => {
  const list = useTabStrip(tab);
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
