import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { tenantOffices } from "@vitaline/contract";
import { useApi } from "../../api/use-api.ts";
import { useSearchValue } from "../../app/search-value.ts";
import { ChoiceField } from "../../components/choice-field.tsx";
import { Panel } from "../../components/panel.tsx";
import { platforms } from "./platforms.ts";
import { Snippets } from "./snippets.tsx";

/** What to paste into a voice platform; which one, and for which office, is in the address. */
const SnippetsPanel = () => {
  const [namedPlatform, setPlatform] = useSearchValue("platform");
  const [namedOffice, setOffice] = useSearchValue("office");
  const offices = useApi(tenantOffices.officeCards, {});
  const platform = platforms.find(({ value }) => value === namedPlatform)?.value ?? "vapi";
  const office = offices.data?.find(({ id }) => id === namedOffice);
  return (
    <Panel title="Platform Configuration" description="What to paste into your voice platform, with the addresses and tools in it.">
      <Stack gap="6">
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4" maxW="2xl">
          <ChoiceField
            label="Voice platform"
            options={platforms}
            value={platform}
            onChange={({ target }) => setPlatform(target.value)}
            error={undefined}
          />
          {offices.data && offices.data.length > 0 ? (
            <ChoiceField
              label="Office"
              options={[{ value: "", label: "All offices" }, ...offices.data.map(({ id, name }) => ({ value: id, label: name }))]}
              value={office?.id ?? ""}
              onChange={({ target }) => setOffice(target.value || undefined)}
              error={undefined}
            />
          ) : null}
        </SimpleGrid>
        <Snippets key={office?.id} platform={platform} officeId={office?.id} />
      </Stack>
    </Panel>
  );
};

export default SnippetsPanel;
