import { chakra } from "@chakra-ui/react/styled-system";
import type { CallDetail } from "@vitaline/contract";
import type { ReactNode } from "react";
import { DetailList } from "../../components/table/detail-list.tsx";
import { inWords } from "../../lib/format/text.ts";

const shown = (value: unknown): ReactNode => {
  if (value === null || value === undefined || value === "") return "N/A";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "object") return String(value);
  return (
    <chakra.pre fontFamily="mono" textStyle="xs" whiteSpace="pre-wrap" overflowWrap="anywhere">
      {JSON.stringify(value, null, 2)}
    </chakra.pre>
  );
};

/** What the voice platform made of the call, in the fields that the tenant has given it. */
export const CallAnalysis = ({ analysis }: { analysis: NonNullable<CallDetail["analysis"]> }) => (
  <DetailList details={Object.entries(analysis).map(([name, value]) => [inWords(name) || name, shown(value)] as const)} />
);
