import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { PlatformKey } from "@vitaline/contract";
import { Moment } from "../../components/data/text.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { KeyRow } from "./key-row.tsx";
import { lastRetired, published, shortKid } from "./key-order.ts";
import { KeySetAddress } from "./key-set-address.tsx";

type Props = { keys: readonly PlatformKey[]; onRetire: (kid: string) => void };

/** The keys that EHR systems are offered, and below them the last ones that they are not any more. */
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
                  <Moment at={createdAt} />
                </Text>
              </li>
            ))}
          </chakra.ul>
        </Disclosure>
      )}
    </Stack>
  );
};
