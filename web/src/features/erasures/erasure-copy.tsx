import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { type Erasure, erasures } from "@vitaline/contract";
import { call } from "../../api/call.ts";
import { DetailList } from "../../components/detail-list.tsx";
import { Failure } from "../../components/failure.tsx";
import { Moment } from "../../components/moment.tsx";
import { saveFrom } from "../../format/download.ts";
import { formatCount } from "../../format/numbers.ts";
import { formatBytes } from "../audit/export-words.ts";
import type { PartProps } from "./erasure-dialog.tsx";
import { hasNotBegun, isCopyGone } from "./erasure-words.ts";
import { Part } from "./part.tsx";
import { useErasureAct } from "./use-erasure-act.ts";

const isBeingWritten = ({ status }: Erasure): boolean => status === "exporting";

/** The copy, and its download. */
const Download = ({ erasure, take, reread, onMoved }: PartProps) => {
  const { run, isBusy, failure } = useErasureAct(
    async () => {
      const found = await call(erasures.getErasure, { params: { erasureId: erasure.id }, query: { withCopy: "true" } });
      if (found.copyUrl !== null) {
        saveFrom(found.copyUrl);
        return take(found);
      }
      take({ ...found, copy: null });
      onMoved();
    },
    { take, reread },
  );
  return (
    <>
      <chakra.p color="fg.muted">
        Each download is written to the audit log. Its link opens the copy to anyone who has it, for ten minutes.
      </chakra.p>
      <Failure text={failure} />
      <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
        {isBusy ? "Downloading..." : "Download copy"}
      </Button>
    </>
  );
};

/** The way to a new copy. */
const Rewriting = ({ erasure, take, reread, onMoved }: PartProps) => {
  const { run, isBusy, failure } = useErasureAct(
    async () => {
      take(await call(erasures.copyErasure, { params: { erasureId: erasure.id } }));
      onMoved();
    },
    { take, reread },
  );
  return (
    <>
      <Failure text={failure} />
      <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
        {isBusy ? "Starting..." : "Write the copy again"}
      </Button>
    </>
  );
};

const inWords = (erasure: Erasure): string => {
  if (isBeingWritten(erasure)) return "It is being written.";
  return hasNotBegun(erasure) ? "It is gone. As the erasure has not started, it can be written again." : "It is gone.";
};

/** What was copied before the erasure, as long as the copy is there. */
export const ErasureCopy = (part: PartProps) => {
  const { erasure, now } = part;
  const { copy } = erasure;
  const isGone = isBeingWritten(erasure) || isCopyGone(erasure, now);
  return (
    <Part title="Copy">
      {isGone || copy === null ? (
        <chakra.p color="fg.muted">{inWords(erasure)}</chakra.p>
      ) : (
        <>
          <DetailList
            details={[
              ["Lines", formatCount(copy.lines)],
              ["Size", formatBytes(copy.bytes)],
              ["Kept until", <Moment key="until" at={copy.expiresAt} />],
            ]}
          />
          <Download {...part} />
        </>
      )}
      {isGone && erasure.status === "waiting" ? <Rewriting {...part} /> : null}
    </Part>
  );
};
