import { Stack } from "@chakra-ui/react/stack";
import { tenantOffices } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { platformOf } from "./platforms.ts";
import { SnippetChoice } from "./snippet-choice.tsx";
import { Snippets } from "./snippets.tsx";

/** What to paste into a voice platform; which one, and for which office, is in the address. */
const SnippetsPanel = () => {
  const [namedPlatform, setPlatform] = useSearchValue("platform");
  const [namedOffice, setOffice] = useSearchValue("office");
  const offices = useApi(tenantOffices.officeCards, {});
  const platform = platformOf(namedPlatform);
  const office = offices.data?.find(({ id }) => id === namedOffice);
  return (
    <Panel title="Platform Configuration" description="What to paste into your voice platform, with the addresses and tools in it.">
      <Stack gap="6">
        <SnippetChoice
          platform={platform}
          onPlatform={setPlatform}
          offices={offices.data ?? []}
          officeId={office?.id ?? ""}
          onOffice={setOffice}
        />
        <Snippets key={office?.id} platform={platform} officeId={office?.id} />
      </Stack>
    </Panel>
  );
};

export default SnippetsPanel;
