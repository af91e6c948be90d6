import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { Webhook } from "@vitaline/contract";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { Moment } from "../../components/data/text.tsx";
import { RowListItem } from "../../components/table/row-list.tsx";
import { eventNames } from "./event-names.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookTrouble } from "./webhook-trouble.tsx";

/** One webhook: where it goes, what it is told, how it fares, and what can be done about it. */
export const WebhookRow = ({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) => (
  <RowListItem>
    <Stack gap="3" w="full" minW="0">
      <Flex align="center" gap="3" wrap="wrap" justify="space-between">
        <chakra.span fontFamily="mono" textStyle="sm" fontWeight="semibold" overflowWrap="anywhere" minW="0">
          {webhook.url}
        </chakra.span>
        <ActiveBadge isActive={webhook.isActive} />
      </Flex>
      {webhook.description === null ? null : <Text overflowWrap="anywhere">{webhook.description}</Text>}
      <WebhookTrouble webhook={webhook} />
      <Flex gap="2" wrap="wrap">
        {webhook.events.map((event) => (
          <Badge key={event} colorPalette="blue">
            {eventNames[event]}
          </Badge>
        ))}
        {webhook.includeContact ? <Badge colorPalette="orange">With contact details of leads</Badge> : null}
      </Flex>
      <Text textStyle="sm" color="fg.muted">
        Added <Moment at={webhook.createdAt} />
      </Text>
      <WebhookActions webhook={webhook} onDeleted={onDeleted} />
    </Stack>
  </RowListItem>
);
