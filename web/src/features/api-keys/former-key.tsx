import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ApiKey } from "@vitaline/contract";
import { Moment } from "../../components/data/text.tsx";
import { RowListItem } from "../../components/table/row-list.tsx";

type Props = {
  apiKey: ApiKey;
  /** undefined once it has ended */ timeLeft?: string | undefined;
  replacedAt?: string | undefined;
  onRevoke?: () => void;
};

/** One key that is not the current one any more. */
export const FormerKey = ({ apiKey: { last4, notAfter, lastUsedAt }, timeLeft, replacedAt, onRevoke }: Props) => {
  const isStillUsed = timeLeft !== undefined && lastUsedAt !== null && replacedAt !== undefined && lastUsedAt > replacedAt;
  return (
    <RowListItem>
      <Flex w="full" direction={{ base: "column", sm: "row" }} align={{ base: "flex-start", sm: "center" }} justify="space-between" gap="3">
        <Box minW="0" textStyle="sm">
          <Text fontWeight="semibold" display="flex" gap="2" flexWrap="wrap" alignItems="center">
            {`Key ending in ${last4}`}
            <Badge colorPalette={timeLeft === undefined ? "gray" : "orange"}>{timeLeft === undefined ? "Ended" : `${timeLeft} left`}</Badge>
          </Text>
          <Text color="fg.muted">
            {timeLeft !== undefined && notAfter !== null ? (
              <>
                {"Works until "}
                <Moment at={notAfter} />
                {" · "}
              </>
            ) : null}
            {lastUsedAt === null ? "Never used" : "Last used "}
            {lastUsedAt === null ? null : <Moment at={lastUsedAt} />}
          </Text>
          {isStillUsed ? <Text color="orange.fg">Used since it was replaced: a platform still presents it.</Text> : null}
        </Box>
        {onRevoke ? (
          <Button size="sm" variant="outline" onClick={onRevoke}>
            Revoke now
            <chakra.span srOnly>{` the key ending in ${last4}`}</chakra.span>
          </Button>
        ) : null}
      </Flex>
    </RowListItem>
  );
};
