import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { tenantOffices } from "@vitaline/contract";
import { useSearchParams } from "react-router-dom";
import { useApi } from "../../api/use-api.ts";
import { ChoiceField } from "../../components/choice-field.tsx";
import { Panel } from "../../components/panel.tsx";
import { platforms } from "./platforms.ts";
import { Snippets } from "./snippets.tsx";

/** What to paste into a voice platform; which one, and for which office, is in the address. */
const SnippetsPanel = () => {
  const [search, setSearch] = useSearchParams();
  const offices = useApi(tenantOffices.officeCards, {});
  const platform = platforms.find(({ value }) => value === search.get("platform"))?.value ?? "vapi";
  const office = offices.data?.find(({ id }) => id === search.get("office"));
  const choose = (name: string, value: string) =>
    setSearch(
      (known) => {
        const next = new URLSearchParams(known);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Panel title="Platform Configuration" description="What to paste into your voice platform, with the addresses and tools in it.">
      <Stack gap="6">
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4" maxW="2xl">
          <ChoiceField
            label="Voice platform"
            options={platforms}
            value={platform}
            onChange={({ target }) => choose("platform", target.value)}
            error={undefined}
          />
          {offices.data && offices.data.length > 0 ? (
            <ChoiceField
              label="Office"
              options={[{ value: "", label: "All offices" }, ...offices.data.map(({ id, name }) => ({ value: id, label: name }))]}
              value={office?.id ?? ""}
              onChange={({ target }) => choose("office", target.value)}
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
