import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { PlatformKey } from "@vitaline/contract";
import { CopyButton } from "../../components/data/copy-button.tsx";
import { Moment } from "../../components/data/text.tsx";
import { shortKid, stateLooks } from "./key-order.ts";

type Props = { signingKey: PlatformKey; isPrimary: boolean; onRetire: () => void };

const Use = ({ state, activeFrom, lastSignedAt }: PlatformKey) =>
  state === "pending" ? (
    <>Signs from {<Moment at={activeFrom} />}</>
  ) : lastSignedAt === null ? (
    "Has not signed anything yet"
  ) : (
    <>Last signed {<Moment at={lastSignedAt} />}</>
  );

/** One signing key: what it is called, whether it signs, and what can be done with it. */
export const KeyRow = ({ signingKey, isPrimary, onRetire }: Props) => {
  const { kid, alg, state, createdAt } = signingKey;
  const look = stateLooks[state];
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="flex-start"
      gap="3"
      py="3"
      borderColor="border.muted"
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <chakra.div flex="1 1 12rem" minW="0">
        <Flex gap="2" align="center" wrap="wrap">
          <chakra.span fontFamily="mono" fontWeight="semibold" title={kid}>
            {shortKid(kid)}
          </chakra.span>
          {isPrimary ? (
            <Badge colorPalette="teal" variant="solid">
              Primary
            </Badge>
          ) : null}
          <Badge colorPalette={look.colorPalette}>{look.name}</Badge>
        </Flex>
        <Text textStyle="sm" color="fg.muted" mt="1">
          {`RSA, ${alg}. Created `}
          <Moment at={createdAt} />
          {". "}
          <Use {...signingKey} />.
        </Text>
      </chakra.div>
      <Flex gap="2" wrap="wrap">
        <CopyButton what={`key ID ${shortKid(kid)}`} text={kid} />
        {state === "previous" ? (
          <Button size="sm" variant="outline" onClick={onRetire}>
            Retire
            <VisuallyHidden>{` ${shortKid(kid)}`}</VisuallyHidden>
          </Button>
        ) : null}
      </Flex>
    </chakra.li>
  );
};
