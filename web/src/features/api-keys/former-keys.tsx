import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ApiKey, apiKeys } from "@vitaline/contract";
import { useEffect, useRef, useState } from "react";
import { call } from "../../api/call.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { useToldAction } from "../../api/use-told-action.ts";
import { announce } from "../../app/toaster.ts";
import { Confirmation } from "../../components/confirmation.tsx";
import { RowList } from "../../components/row-list.tsx";
import { Disclosure } from "./disclosure.tsx";
import { FormerKey } from "./former-key.tsx";
import { timeLeft } from "./overlaps.ts";
import { currentOf } from "./regenerate.ts";
import { useNow } from "./use-now.ts";

/** Keys that were replaced: those that still work, with what is left of their time, and those that ended within 30 days. */
export const FormerKeys = ({ keys }: { keys: readonly ApiKey[] }) => {
  const refresh = useRefresh();
  const heading = useRef<HTMLHeadingElement>(null);
  const [asked, setAsked] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<string>();
  const former = keys.filter(({ status }) => status !== "active");
  const now = useNow(former.some(({ status }) => status === "retiring"));
  const revoke = useToldAction(async (keyId: string) => {
    await call(apiKeys.revokeApiKey, { params: { keyId } });
    await refresh(apiKeys.listApiKeys);
    setAsked(undefined);
    setRevoked(keyId);
    announce({ type: "success", title: "API Key Revoked", description: "The former key is no longer accepted." });
  });
  // The button that asked is gone.
  useEffect(() => {
    if (revoked !== undefined) heading.current?.focus();
  }, [revoked]);

  if (former.length === 0) return null;
  const left = (key: ApiKey) => (key.status === "retiring" && key.notAfter !== null ? timeLeft(key.notAfter, now) : undefined);
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
            <FormerKey
              key={key.id}
              apiKey={key}
              timeLeft={left(key)}
              replacedAt={currentOf(keys)?.createdAt}
              onRevoke={() => setAsked(key)}
            />
          ))}
        </RowList>
      ) : (
        <chakra.p textStyle="sm" color="fg.muted">
          None of them works any more.
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
          onCancel={() => setAsked(undefined)}
        >
          Whatever still presents it is refused from the next request on. This cannot be undone.
        </Confirmation>
      ) : null}
    </section>
  );
};
