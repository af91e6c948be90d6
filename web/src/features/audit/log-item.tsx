import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { AuditDashboard } from "@vitaline/contract";
import { Moment } from "../../components/data/text.tsx";

export type Log = AuditDashboard["logs"][number];

const palettes: Record<Log["level"], string> = { INFO: "gray", WARN: "orange", ERROR: "red" };

/** An act in two lines: its kind and when, then who did what. */
export const LogItem = ({ log: { action, actorName, description, level, timestamp } }: { log: Log }) => (
  <chakra.li py="2.5" borderColor="border.muted" _notFirst={{ borderTopWidth: "1px" }}>
    <chakra.div display="flex" gap="2" alignItems="center" justifyContent="space-between" flexWrap="wrap">
      <Badge colorPalette={palettes[level]} variant={level === "ERROR" ? "solid" : "subtle"} overflowWrap="anywhere" whiteSpace="normal">
        {action}
      </Badge>
      <Moment at={timestamp} textStyle="sm" color="fg.muted" />
    </chakra.div>
    <Flex textStyle="sm" mt="1" columnGap="2" wrap="wrap">
      {actorName === undefined ? null : (
        <Text as="span" fontWeight="medium" overflowWrap="anywhere" minW="0">
          {actorName}
        </Text>
      )}
      <Text as="span" color="fg.muted">
        {description}
      </Text>
    </Flex>
  </chakra.li>
);
