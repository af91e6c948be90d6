import { Stack } from "@chakra-ui/react/stack";
import { keyPlaceholder, type Snippet, snippets, tenantOffices } from "@vitaline/contract";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import Eye from "lucide-react/dist/esm/icons/eye.mjs";
import EyeOff from "lucide-react/dist/esm/icons/eye-off.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { readPlatform, SnippetChoice, SnippetList } from "./snippet-list.tsx";
import { UnreadableAnswer } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { markKeyCopied } from "../onboarding/progress.ts";
import { useRevealedSecret } from "./keys/use-revealed-secret.ts";

const SnippetsPanel = () => {
  const [namedPlatform, setPlatform] = useSearchValue("platform");
  const [namedOffice, setOffice] = useSearchValue("office");
  const offices = useApi(tenantOffices.officeCards, {});
  const platform = readPlatform(namedPlatform);
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

type Props = { platform: Snippet["platform"]; officeId: string | undefined };

const Snippets = ({ platform, officeId }: Props) => {
  const { user } = useAuth();
  const loaded = useApi(snippets.snippets, { query: { officeId, withKey: "false" } });
  const readWithKey = () => call(snippets.snippets, { query: { officeId } });
  const { secret, isReading, show, hide } = useRevealedSecret(readWithKey);
  const isShown = secret !== undefined;
  const withKeyOf = async (id: string): Promise<string> => {
    const found = (await readWithKey()).find((one) => one.id === id);
    if (!found) throw new UnreadableAnswer(snippets.snippets.path);
    return found.text;
  };
  const looksOf = (snippet: Snippet) => {
    const text = secret?.find(({ id }) => id === snippet.id)?.text ?? snippet.text;
    // Administrators who view as the tenant get no key and copy the snippet with its placeholder.
    if (!snippet.text.includes(keyPlaceholder) || !user?.tenantId || user.viewAs) return { text };
    const { tenantId } = user;
    return { text, copied: isShown ? text : () => withKeyOf(snippet.id), onCopied: () => markKeyCopied(tenantId) };
  };
  return (
    <Loadable loaded={loaded} what="platform configuration" skeleton={<RowSkeletons />}>
      {(list) => (
        <Stack gap="4">
          {user?.viewAs ? null : (
            <Flex align="center" gap="3" wrap="wrap">
              <Button size="sm" variant="outline" aria-disabled={isReading} onClick={isShown ? hide : show}>
                {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
                {isShown ? "Hide the key" : isReading ? "Showing the key..." : "Show the key"}
              </Button>
              <Text textStyle="sm" color="fg.muted" flex="1" minW="2xs">
                {`${keyPlaceholder} stands for your key until you show it. What you copy has the key in it, which is recorded in the audit log.`}
              </Text>
            </Flex>
          )}
          <SnippetList snippets={list} platform={platform} looksOf={looksOf} />
        </Stack>
      )}
    </Loadable>
  );
};

export default SnippetsPanel;
