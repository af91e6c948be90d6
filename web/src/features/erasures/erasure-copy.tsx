import { Button } from "@chakra-ui/react/button";
import { HStack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type Erasure, erasureExportDays, erasures } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { DetailList } from "../../components/table/detail-list.tsx";
import { Failure } from "../../components/feedback/alerts.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { saveFrom } from "../../lib/dom/download.ts";
import { formatCount } from "../../lib/format/numbers.ts";
import { formatBytes } from "../audit/export/export-format.ts";
import { type SectionProps, useErasureAction } from "./use-erasure.ts";
import { formatDays, isCopyExpired } from "./erasure-format.tsx";
import { Section } from "./erasure-facts.tsx";

export const ErasureCopy = (part: SectionProps) => {
  const { erasure, now } = part;
  const { copy } = erasure;
  const isGone = isCopyExpired(erasure, now);
  return (
    <Section title="Copy">
      {isGone || copy === null ? (
        <chakra.p color="fg.muted">{describeMissingCopy(erasure)}</chakra.p>
      ) : (
        <>
          <DetailList
            details={[
              ["Lines", formatCount(copy.lines)],
              ["Size", formatBytes(copy.bytes)],
              ["Kept until", <DateTime key="until" at={copy.expiresAt} />],
            ]}
          />
          <Download {...part} files={copy.files} />
        </>
      )}
    </Section>
  );
};

const describeMissingCopy = ({ status, copy }: Erasure): string => {
  if (status === "waiting") return `It is written when the erasure begins, and kept for ${formatDays(erasureExportDays)}.`;
  if (status === "cancelled" || copy === null) return status === "exporting" ? "It is being written." : "There is no copy.";
  return "The copy was deleted.";
};

const Download = ({ erasure, update, reload, moveFocus, files }: SectionProps & { files: number }) => {
  const { run, isBusy, failure } = useErasureAction(
    async (at: number) => {
      const found = await call(erasures.getErasure, { params: { erasureId: erasure.id }, query: { withCopy: "true" } });
      const url = found.copyUrls?.[at];
      if (url !== undefined) {
        saveFrom(url);
        return update(found);
      }
      update({ ...found, copy: null });
      moveFocus();
    },
    { update, reload },
  );
  return (
    <>
      <chakra.p color="fg.muted">
        Each download is written to the audit log. Its link opens the copy to anyone who has it, for ten minutes.
      </chakra.p>
      <Failure text={failure} />
      <HStack gap="2" wrap="wrap">
        {Array.from({ length: files }, (_, at) => (
          <Button key={at} size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run(at)}>
            {isBusy ? "Downloading..." : files === 1 ? "Download copy" : `Download part ${at + 1} of ${files}`}
          </Button>
        ))}
      </HStack>
    </>
  );
};
