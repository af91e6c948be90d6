import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ApiKey } from "@vitaline/contract";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { FormerKey } from "./former-key.tsx";
import { timeLeft } from "./overlaps.ts";
import { currentOf } from "./regenerate.ts";
import { useNow } from "./use-now.ts";
import { type EndKey, useRevocation } from "./use-revocation.ts";

/** undefined for what does not work any more. */
const timeLeftOf = ({ status, notAfter }: ApiKey, now: Date): string | undefined =>
  status === "retiring" && notAfter !== null ? timeLeft(notAfter, now) : undefined;

/** Keys that were replaced: those that still work, with what is left of their time, and those that ended within 30 days. */
export const FormerKeys = ({ keys, end }: { keys: readonly ApiKey[]; end: EndKey }) => {
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
            <FormerKey key={key.id} apiKey={key} timeLeft={left(key)} replacedAt={currentOf(keys)?.createdAt} onRevoke={() => ask(key)} />
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
          onCancel={() => ask(undefined)}
        >
          Whatever still presents it is refused from the next request on. This cannot be undone.
        </Confirmation>
      ) : null}
    </section>
  );
};
