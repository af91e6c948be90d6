import { chakra } from "@chakra-ui/react/styled-system";
import type { Erasure } from "@vitaline/contract";
import { DetailList } from "../../components/table/detail-list.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { countsInWords } from "./counts.ts";
import { Part } from "./part.tsx";

/** How many of each kind were destroyed; nothing before the first was. */
export const ErasedCounts = ({ erasure: { erased } }: { erasure: Erasure }) => {
  if (erased === null) return null;
  const counts = countsInWords(erased);
  return (
    <Part title="Erased">
      {counts.length === 0 ? (
        <chakra.p color="fg.muted">There was nothing to erase.</chakra.p>
      ) : (
        <DetailList details={counts.map(([name, count]) => [name, formatCount(count)])} />
      )}
    </Part>
  );
};
