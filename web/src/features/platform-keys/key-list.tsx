import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { PlatformKey } from "@vitaline/contract";
import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { DateTime } from "../../components/data/text.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { lastRetired, published, shortKid, stateLooks } from "./key-order.ts";
import { CopyButton } from "../../components/data/copy-button.tsx";
import { usePublicConfig } from "../../lib/api/public-config.ts";

type Props = { keys: readonly PlatformKey[]; onRetire: (kid: string) => void };

export const KeyList = ({ keys, onRetire }: Props) => {
  const retired = lastRetired(keys);
  return (
    <Stack gap="4">
      <KeySetAddress />
      <chakra.ul listStyleType="none" aria-label="Signing keys" my="-1">
        {published(keys).map((key, index) => (
          <KeyRow key={key.kid} signingKey={key} isPrimary={index === 0} onRetire={() => onRetire(key.kid)} />
        ))}
      </chakra.ul>
      {retired.length === 0 ? null : (
        <Disclosure title="Retired keys">
          <chakra.ul listStyleType="none" display="grid" gap="1">
            {retired.map(({ kid, createdAt }) => (
              <li key={kid}>
                <chakra.span fontFamily="mono" title={kid}>
                  {shortKid(kid)}
                </chakra.span>
                <Text as="span" color="fg.muted">
                  {" created "}
                  <DateTime at={createdAt} />
                </Text>
              </li>
            ))}
          </chakra.ul>
        </Disclosure>
      )}
    </Stack>
  );
};

const KeySetAddress = () => {
  const address = `${usePublicConfig()?.origin ?? window.location.origin}/.well-known/jwks.json`;
  return (
    <Flex gap="3" align="center" justify="space-between" wrap="wrap" bg="bg.subtle" borderRadius="l2" px="4" py="2.5">
      <Text textStyle="sm" color="fg.muted" flex="1" minW="12rem" overflowWrap="anywhere">
        {`Key set for EHR systems: ${address}`}
      </Text>
      <CopyButton what="key set address" text={address} />
    </Flex>
  );
};

type KeyRowProps = { signingKey: PlatformKey; isPrimary: boolean; onRetire: () => void };

const KeyRow = ({ signingKey, isPrimary, onRetire }: KeyRowProps) => {
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
          <DateTime at={createdAt} />
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

const Use = ({ state, activeFrom, lastSignedAt }: PlatformKey) =>
  state === "pending" ? (
    <>Signs from {<DateTime at={activeFrom} />}</>
  ) : lastSignedAt === null ? (
    "Has not signed anything yet"
  ) : (
    <>Last signed {<DateTime at={lastSignedAt} />}</>
  );
