import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { VoiceProvider } from "@vitaline/contract";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { CopyButton } from "../../components/data/copy-button.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { RowListItem } from "../../components/table/row-list.tsx";
import { providerLabel } from "../../lib/format/labels.ts";

type Props = {
  provider: Pick<VoiceProvider, "providerName" | "providerType" | "isDefault" | "isActive">;
  webhookUrl: string;
  details?: Parameters<typeof DetailList>[0]["details"];
  /** Undefined for a reader who may not change it. */
  onEdit: (() => void) | undefined;
};

export const ProviderRow = ({ provider: { providerName, providerType, isDefault, isActive }, webhookUrl, details, onEdit }: Props) => (
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
          Webhook address: set it at the platform, so that it notifies Vitaline of calls.
        </chakra.p>
        <Flex gap="3" align="center" wrap="wrap">
          <chakra.code fontFamily="mono" textStyle="sm" overflowWrap="anywhere" flex="1 1 16rem" minW="0">
            {webhookUrl}
          </chakra.code>
          <CopyButton what={`webhook address of ${providerName}`} text={webhookUrl} />
        </Flex>
      </div>
      {onEdit ? (
        <div>
          <Button size="sm" variant="outline" onClick={onEdit}>
            Edit
            <VisuallyHidden>{` ${providerName}`}</VisuallyHidden>
          </Button>
        </div>
      ) : null}
    </Stack>
  </RowListItem>
);

/** All that the platform may show of an account. */
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
