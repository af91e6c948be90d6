import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { VoiceProvider } from "@vitaline/contract";
import { useState } from "react";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { CopyButton } from "../../components/data/copy-button.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { RowListItem } from "../../components/table/row-list.tsx";
import { DeleteProvider, type DeleteProviderProps } from "./delete-provider.tsx";
import { providerLabel } from "../../lib/format/labels.ts";

type Props = {
  provider: Pick<VoiceProvider, "providerName" | "providerType" | "isDefault" | "isActive">;
  webhookUrl: string;
  details?: Parameters<typeof DetailList>[0]["details"];
  /** Undefined for a reader who may not change it. */
  actions: ProviderActions | undefined;
};
export type ProviderActions = Omit<DeleteProviderProps, "provider" | "onClose">;

export const ProviderRow = ({ provider, webhookUrl, details, actions }: Props) => {
  const { providerName, providerType, isDefault, isActive } = provider;
  return (
    <RowListItem>
      <Stack gap="3" w="full" minW="0">
        <Flex justify="space-between" align="center" gap="3" wrap="wrap">
          <chakra.p fontWeight="semibold" overflowWrap="anywhere" minW="0">
            {providerName}
            <chakra.span color="fg.muted" fontWeight="normal">
              {providerLabel({ providerName, providerType }).slice(providerName.length)}
            </chakra.span>
          </chakra.p>
          <Flex gap="2" align="center">
            {isDefault ? <Badge colorPalette="blue">Default</Badge> : null}
            <ActiveBadge isActive={isActive} />
          </Flex>
        </Flex>
        {details ? <DetailList details={details} /> : null}
        <div>
          <chakra.p textStyle="sm" color="fg.muted" mb="1">
            Webhook address. Enter it at the voice platform, so that it reports calls to Vitaline.
          </chakra.p>
          <Flex gap="3" align="center" wrap="wrap">
            <chakra.code fontFamily="mono" textStyle="sm" overflowWrap="anywhere" flex="1 1 16rem" minW="0">
              {webhookUrl}
            </chakra.code>
            <CopyButton what={`webhook address of ${providerName}`} text={webhookUrl} />
          </Flex>
        </div>
        {actions ? <ProviderButtons provider={provider} {...actions} /> : null}
      </Stack>
    </RowListItem>
  );
};

const ProviderButtons = ({ provider, ...actions }: Omit<DeleteProviderProps, "onClose">) => {
  const [isAsking, setIsAsking] = useState(false);
  const name = <VisuallyHidden>{` ${provider.providerName}`}</VisuallyHidden>;
  return (
    <Flex gap="2" wrap="wrap">
      <Button size="sm" variant="outline" onClick={actions.onEdit}>
        Edit
        {name}
      </Button>
      <Button size="sm" variant="outline" colorPalette="red" onClick={() => setIsAsking(true)}>
        Delete
        {name}
      </Button>
      {isAsking ? <DeleteProvider provider={provider} {...actions} onClose={() => setIsAsking(false)} /> : null}
    </Flex>
  );
};

/** What the dashboard may show of an account. */
export const providerDetails = ({ config, createdAt }: VoiceProvider): Props["details"] => [
  ["API key", formatKey(config)],
  ["Base URL", config.baseUrl ?? undefined],
  ["Model", config.model ?? undefined],
  ["Default voice", config.voice ?? undefined],
  ["Webhook secret", config.hasWebhookSecret ? "Stored, hidden" : "None"],
  ["Added", <DateTime key="added" at={createdAt} />],
];

const formatKey = ({ hasApiKey, apiKeyLast4 }: VoiceProvider["config"]): string => {
  if (!hasApiKey) return "None";
  return apiKeyLast4 === null ? "Stored, hidden" : `Stored, ends in ${apiKeyLast4}`;
};
