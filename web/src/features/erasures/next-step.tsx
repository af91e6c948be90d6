import type { Erasure } from "@vitaline/contract";
import { Moment } from "../../components/data/text.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { totalOf } from "./counts.ts";
import { isDue } from "./erasure-words.ts";

/** What happens next, in a sentence. */
export const NextStep = ({ erasure, now }: { erasure: Erasure; now: number }) => {
  const { status, approvedAt, startsAt, erased, backupsGoneAt } = erasure;
  switch (status) {
    case "exporting":
      return "A copy of what will be erased is being written. After that, it is erased.";
    case "waiting":
      if (isDue(erasure, now))
        return approvedAt === null ? "Its time has come. It starts in a moment." : "It was approved and starts in a moment.";
      return (
        <>
          It starts <Moment at={startsAt} />, or as soon as a second administrator approves it.
        </>
      );
    case "erasing":
      return erased === null
        ? "Data is being erased. You can close this; it goes on."
        : `Data is being erased: ${formatCount(totalOf(erased))} records so far. You can close this; it goes on.`;
    case "done":
      return backupsGoneAt === null ? (
        "Everything was erased."
      ) : Date.parse(backupsGoneAt) > now ? (
        <>
          Everything was erased. Backups are gone <Moment at={backupsGoneAt} />.
        </>
      ) : (
        "Everything was erased, and the backups are gone, too."
      );
    case "cancelled":
      return "It was canceled. Nothing was erased.";
  }
};
