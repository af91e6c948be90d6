import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ErasureStatus } from "@vitaline/contract";
import { type RefObject, useState } from "react";
import { explain } from "../../lib/api/api-error.ts";
import { Watch } from "../../lib/api/watch.tsx";
import { ErasureBadge } from "./erasure-badge.tsx";
import type { PartProps } from "./erasure-dialog.tsx";
import { isMoving } from "./erasure-words.ts";
import { NextStep } from "./next-step.tsx";

const tooLong = "It takes long. It goes on, also while this is closed.";

type Props = Omit<PartProps, "onMoved"> & { place: RefObject<HTMLElement | null> };

/** How far it is and what comes next; followed as long as it changes by itself, and told to screen readers. */
export const ErasureProgress = ({ erasure, now, take, reread, place }: Props) => {
  const { status } = erasure;
  /** Why it is not followed any more, in the state that it had then. */
  const [lost, setLost] = useState<{ at: ErasureStatus; why: string }>();
  const isLost = lost?.at === status;
  const moves = isMoving(erasure, now);
  return (
    <chakra.section ref={place} tabIndex={-1} aria-label="How far it is" outline="0" borderRadius="l1" focusVisibleRing="outside">
      <Stack gap="3" align="flex-start">
        <ErasureBadge status={status} />
        <chakra.output display="block">
          <NextStep erasure={erasure} now={now} />
          {moves && isLost ? ` ${lost.why}` : ""}
        </chakra.output>
        {moves && isLost ? (
          <Button size="sm" variant="outline" onClick={() => setLost(undefined)}>
            Follow it again
          </Button>
        ) : null}
        {moves && !isLost ? (
          <Watch
            key={status}
            ask={reread}
            isUnderWay={(found) => found.status === status && isMoving(found, Date.now())}
            onSeen={take}
            onEnded={take}
            onLost={(refusal) => setLost({ at: status, why: refusal === undefined ? tooLong : explain(refusal) })}
          />
        ) : null}
      </Stack>
    </chakra.section>
  );
};
