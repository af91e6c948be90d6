import { Tabs } from "@chakra-ui/react/tabs";
import { useSearchParams } from "react-router-dom";
import { OverviewTab } from "./overview-tab.tsx";

/** In order. The first opens when the address names none of them. */
const tabs = [{ value: "overview", label: "Overview", Content: OverviewTab }] as const;

/** The dashboard's parts, one at a time, by the address's `?tab=`. */
export const TenantTabs = () => {
  const [search, setSearch] = useSearchParams();
  const open = tabs.find(({ value }) => value === search.get("tab")) ?? tabs[0];
  return (
    <Tabs.Root value={open.value} onValueChange={({ value }) => setSearch({ tab: value })} activationMode="manual" lazyMount>
      <Tabs.List aria-label="Dashboard sections">
        {tabs.map(({ value, label }) => (
          <Tabs.Trigger key={value} value={value}>
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ value, Content }) => (
        <Tabs.Content key={value} value={value}>
          <Content />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
};
