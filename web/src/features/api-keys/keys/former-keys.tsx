import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ApiKey, apiKeys } from "@vitaline/contract";
import { useEffect, useRef, useState } from "react";
import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import { Confirmation } from "../../../components/dialog/confirmation.tsx";
import { Disclosure } from "../../../components/layout/disclosure.tsx";
import { RowList, RowListItem } from "../../../components/table/row-list.tsx";
import { timeLeft, useNow } from "./key-overlap.ts";
import { activeKey } from "./regenerate.ts";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { useInlineAction } from "../../../lib/api/use-action.ts";
import { announce } from "../../../lib/toast.ts";
import { DateTime } from "../../../components/data/text.tsx";

type Props = {
  apiKey: ApiKey;
  /** undefined once the key has expired */
  timeLeft?: string | undefined;
  replacedAt?: string | undefined;
  onRevoke?: () => void;
};

const FormerKey = ({ apiKey: { last4, notAfter, lastUsedAt }, timeLeft, replacedAt, onRevoke }: Props) => {
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
                <DateTime at={notAfter} />
                {" · "}
              </>
            ) : null}
            {lastUsedAt === null ? "Never used" : "Last used "}
            {lastUsedAt === null ? null : <DateTime at={lastUsedAt} />}
          </Text>
          {isStillUsed ? <Text color="orange.fg">Used since it was replaced: a platform still has it.</Text> : null}
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

type RevokeKey = (keyId: string) => Promise<void>;

export const useRevokeOwnKey = (): RevokeKey => {
  const refresh = useRefresh();
  return async (keyId) => {
    await call(apiKeys.revokeApiKey, { params: { keyId } });
    await refresh(apiKeys.listApiKeys);
  };
};

const useRevocation = (end: RevokeKey) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [asked, ask] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<string>();
  const revoke = useInlineAction(async (keyId: string) => {
    await end(keyId);
    ask(undefined);
    setRevoked(keyId);
    announce({ type: "success", title: "API Key Revoked", description: "The former key is no longer accepted." });
  });
  // The confirmation's button is gone, so focus returns to the heading.
  useEffect(() => {
    if (revoked !== undefined) heading.current?.focus();
  }, [revoked]);
  return { heading, asked, ask, revoke };
};

const timeLeftOf = ({ status, notAfter }: ApiKey, now: Date): string | undefined =>
  status === "retiring" && notAfter !== null ? timeLeft(notAfter, now) : undefined;

/** Replaced keys that still work, and those that expired within the last 30 days. */
export const FormerKeys = ({ keys, end }: { keys: readonly ApiKey[]; end: RevokeKey }) => {
  const { heading, asked, ask, revoke } = useRevocation(end);
  const former = keys.filter(({ status }) => status !== "active");
  const now = useNow((at) => former.some((key) => timeLeftOf(key, at) !== undefined));

  if (former.length === 0) return null;
  const left = (key: ApiKey) => timeLeftOf(key, now);
  const working = former.filter((key) => left(key) !== undefined);
  const ended = former.filter((key) => left(key) === undefined);
  return (
    <section aria-labelledby="former-keys">
      <Heading as="h3" size="md" id="former-keys" ref={heading} tabIndex={-1} outline="0" mb="4">
        Former keys
      </Heading>
      {working.length > 0 ? (
        <RowList label="Former keys that still work">
          {working.map((key) => (
            <FormerKey key={key.id} apiKey={key} timeLeft={left(key)} replacedAt={activeKey(keys)?.createdAt} onRevoke={() => ask(key)} />
          ))}
        </RowList>
      ) : (
        <chakra.p textStyle="sm" color="fg.muted">
          No former key still works.
        </chakra.p>
      )}
      {ended.length > 0 ? (
        <chakra.div mt="4">
          <Disclosure title={`${ended.length} ended in the last 30 days`}>
            <chakra.div pt="3">
              <RowList label="Former keys that have ended">
                {ended.map((key) => (
                  <FormerKey key={key.id} apiKey={key} />
                ))}
              </RowList>
            </chakra.div>
          </Disclosure>
        </chakra.div>
      ) : null}
      {asked ? (
        <Confirmation
          title={`Revoke the key ending in ${asked.last4}?`}
          action="Revoke now"
          busyAction="Revoking..."
          isBusy={revoke.isBusy}
          failure={revoke.failure}
          isDangerous
          onConfirm={() => revoke.run(asked.id)}
          onCancel={() => ask(undefined)}
        >
          Requests with this key are refused from now on. This cannot be undone.
        </Confirmation>
      ) : null}
    </section>
  );
};
