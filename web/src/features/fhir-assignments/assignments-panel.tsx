import { fhirProviders } from "@vitaline/contract";
import Network from "lucide-react/dist/esm/icons/network.mjs";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { usePages } from "../../lib/api/use-pages.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { Assignments, pageSize } from "./assignments.tsx";
import type { Place } from "./replaced.ts";

const AssignmentDialog = lazy(() => import("./assignment-dialog.tsx"));

/** Which record system each tenant and office uses, and the way to change it. */
const AssignmentsPanel = () => {
  const pages = usePages(fhirProviders.listFhirAssignments, { query: { limit: pageSize } });
  const providers = useApi(fhirProviders.listFhirProviders, {});
  const [changed, setChanged] = useState<Place>();
  const row = pages.data?.find(({ tenantId }) => tenantId === changed?.tenantId);
  return (
    <Panel title="Provider Assignments" description="Each office uses its own FHIR provider, or else its tenant's">
      <Loadable loaded={pages} what="provider assignments" skeleton={<RowSkeletons />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              icon={Network}
              title="No provider assignments configured yet."
              description="Each organization is listed here, so that its FHIR provider can be chosen."
            />
          ) : (
            <Assignments pages={pages} rows={rows} onChange={setChanged} />
          )
        }
      </Loadable>
      <Suspense fallback={null}>
        {changed && row ? (
          <AssignmentDialog
            row={row}
            place={changed}
            providers={providers}
            onChanged={(next) => pages.replace(next)}
            onClose={() => setChanged(undefined)}
          />
        ) : null}
      </Suspense>
    </Panel>
  );
};

export default AssignmentsPanel;
