import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { Erasure, ErasureStatus } from "@vitaline/contract";
import { type RefObject, useState } from "react";
import { explain } from "../../lib/api/api-error.ts";
import { Watch } from "../../lib/api/watch.tsx";
import { ErasureBadge, isDue, isInProgress, totalCount } from "./erasure-format.tsx";
import type { SectionProps } from "./use-erasure.ts";
import { DateTime } from "../../components/data/text.tsx";
import { formatCount } from "../../lib/format/numbers.ts";

const tooLong = "This is taking a while. It continues even if you close this dialog.";

type Props = Omit<SectionProps, "moveFocus"> & { place: RefObject<HTMLElement | null> };

export const ErasureProgress = ({ erasure, now, update, reload, place }: Props) => {
  const { status } = erasure;
  /** Why polling stopped, and the status at that time */
  const [lost, setLost] = useState<{ at: ErasureStatus; why: string }>();
  const isLost = lost?.at === status;
  const moves = isInProgress(erasure, now);
  return (
    <chakra.section ref={place} tabIndex={-1} aria-label="Progress" outline="0" borderRadius="l1" focusVisibleRing="outside">
      <Stack gap="3" align="flex-start">
        <ErasureBadge status={status} />
        <chakra.output display="block">
          <NextStep erasure={erasure} now={now} />
          {moves && isLost ? ` ${lost.why}` : ""}
        </chakra.output>
        {moves && isLost ? (
          <Button size="sm" variant="outline" onClick={() => setLost(undefined)}>
            Resume updates
          </Button>
        ) : null}
        {moves && !isLost ? (
          <Watch
            key={status}
            ask={reload}
            isUnderWay={(found) => found.status === status && isInProgress(found, Date.now())}
            onSeen={update}
            onEnded={update}
            onLost={(refusal) => setLost({ at: status, why: refusal === undefined ? tooLong : explain(refusal) })}
          />
        ) : null}
      </Stack>
    </chakra.section>
  );
};

const NextStep = ({ erasure, now }: { erasure: Erasure; now: number }) => {
  const { status, approvedAt, startsAt, erased, backupsGoneAt } = erasure;
  switch (status) {
    case "exporting":
      return "A copy of what will be erased is being written. After that, it is erased.";
    case "waiting":
      if (isDue(erasure, now))
        return approvedAt === null ? "The waiting period is over. It starts in a moment." : "It was approved and starts in a moment.";
      return (
        <>
          It starts <DateTime at={startsAt} />, or as soon as a second administrator approves it.
        </>
      );
    case "erasing":
      return erased === null
        ? "Data is being erased. You can close this; it continues."
        : `Data is being erased: ${formatCount(totalCount(erased))} records so far. You can close this; it continues.`;
    case "done":
      return backupsGoneAt === null ? (
        "Everything was erased."
      ) : Date.parse(backupsGoneAt) > now ? (
        <>
          Everything was erased. Backups will be deleted <DateTime at={backupsGoneAt} />.
        </>
      ) : (
        "Everything was erased, including backups."
      );
    case "cancelled":
      return "It was canceled. Nothing was erased.";
  }
};
