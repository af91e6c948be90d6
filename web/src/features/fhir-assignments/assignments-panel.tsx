import { Box } from "@chakra-ui/react/box";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { fhirProviders } from "@vitaline/contract";
import Network from "lucide-react/dist/esm/icons/network.mjs";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import { useRest } from "../../api/use-rest.ts";
import { Empty } from "../../components/empty.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { LoadMore } from "../../components/load-more.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useSteps } from "../../components/use-steps.ts";
import { AssignmentList } from "./assignment-list.tsx";
import type { Place } from "./replaced.ts";

const AssignmentDialog = lazy(() => import("./assignment-dialog.tsx"));

/** Tenants and offices a page. */
const pageSize = 40;

/** From so many tenants on, one has to search. */
const searchedFrom = 6;

/** Which record system each tenant and office uses, and the way to change it. */
const AssignmentsPanel = () => {
  const pages = usePages(fhirProviders.listFhirAssignments, { query: { limit: pageSize } });
  const providers = useApi(fhirProviders.listFhirProviders, {});
  const [text, setText] = useState("");
  const [changed, setChanged] = useState<Place>();
  useRest(pages, text.trim() !== "");
  const wanted = text.trim().toLowerCase();
  const found = (pages.data ?? []).filter(({ name }) => name.toLowerCase().includes(wanted));
  const shown = useSteps(found, pages, pageSize);
  const row = pages.data?.find(({ tenantId }) => tenantId === changed?.tenantId);
  return (
    <Panel title="Provider Assignments" description="Each office uses its own FHIR provider, or else its tenant's">
      <Loadable loaded={pages} what="provider assignments" skeleton={<RowSkeletons />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              icon={Network}
              title="No provider assignments configured yet."
              description="Add an organization under Tenants; then choose its FHIR provider here."
            />
          ) : (
            <Stack gap="4">
              {rows.length < searchedFrom && !pages.hasMore ? null : (
                <search aria-label="Provider assignments">
                  <TextField
                    label="Search organizations"
                    type="search"
                    aria-required={false}
                    error={undefined}
                    autoComplete="off"
                    maxW={{ md: "md" }}
                    value={text}
                    onChange={({ target }) => setText(target.value)}
                  />
                </search>
              )}
              {found.length === 0 ? (
                <Text color="fg.muted">
                  {pages.hasMore && pages.moreError === undefined ? "Searching further..." : "No organization has this text in its name."}
                </Text>
              ) : (
                <AssignmentList rows={shown.data} onChange={setChanged} />
              )}
              <Box>{shown.hasMore ? <LoadMore pages={shown} what="organizations" /> : null}</Box>
            </Stack>
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
