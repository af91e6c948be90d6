import { chakra } from "@chakra-ui/react/styled-system";
import { Button } from "@chakra-ui/react/button";
import { type CallFigures, tenantDashboard } from "@vitaline/contract";
import { lazy, Suspense, useState } from "react";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { useApi } from "../../../lib/api/use-api.ts";
import { useMay } from "../../../lib/session/may.ts";
import type { AnalyticsFilter } from "../analytics/analytics-filter.ts";
import { useOfficeNames } from "../office-names.ts";
import { nameOfDays } from "../page-range.ts";

export const Figure = ({ value, caption }: { value: string; caption: string }) => (
  <chakra.p>
    <chakra.span display="block" textStyle="4xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
      {value}
    </chakra.span>
    <chakra.span textStyle="sm" color="fg.muted">
      {caption}
    </chakra.span>
  </chakra.p>
);

const AmountsDialog = lazy(() => import("./amounts-dialog.tsx"));

export const AmountsButton = ({ children }: { children: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  if (!useMay("PUT /api/tenant/settings")) return null;
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setIsOpen(true)}>
        {children}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <AmountsDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
};

type ChosenProps = {
  filter: AnalyticsFilter;
  /** The estimate in words, and what it follows from. */
  name: string;
  estimate: (figures: CallFigures) => string;
  details: (figures: CallFigures) => readonly (readonly [name: string, value: string])[];
};

/**
 * The estimate for the days and the office of the page, and for the days before. Nothing where the card tells of these days, or while
 * the figures are unknown, which the top of the page says.
 */
export const ChosenDays = ({ filter: { range, officeId }, name, estimate, details }: ChosenProps) => {
  const { data } = useApi(tenantDashboard.tenantMetrics, { query: { ...range.query, officeId, compare: "true" } });
  const offices = useOfficeNames(officeId !== undefined);
  if (data === undefined || (range.value === "30days" && officeId === undefined)) return null;
  const { previous } = data;
  const title = [range.name, officeId === undefined ? "all offices" : (offices.get(officeId) ?? "the chosen office")].join(", ");
  return (
    <chakra.section aria-label={title} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 textStyle="sm" fontWeight="semibold" mb="3">
        {title}
      </chakra.h3>
      <DetailList
        details={[
          [name, estimate(data)],
          ...details(data),
          ...(previous === null ? [] : [[`${name}, ${nameOfDays(previous.days)}`, estimate(previous)] as const]),
        ]}
      />
    </chakra.section>
  );
};
