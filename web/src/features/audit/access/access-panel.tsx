import { Stack } from "@chakra-ui/react/stack";
import type { AccessReportDetail } from "@vitaline/contract";
import { useState } from "react";
import { Panel } from "../../../components/layout/panel.tsx";
import { usePages } from "../../../lib/api/use-pages.ts";
import { isRecordId, useSearchValues } from "../../../lib/routing/search-params.ts";
import type { AccessApi } from "./access-api.ts";
import { AccessForm } from "./access-form.tsx";
import { AccessList } from "./access-list.tsx";
import { AccessReport } from "./access-report.tsx";

type Props = { api: AccessApi; isTenant: boolean };

/** The report's id and the person's are in the address; a patient's never is. */
const AccessPanel = ({ api, isTenant }: Props) => {
  const { search, go } = useSearchValues();
  const [reportId, person] = [search.get("report"), search.get("person") ?? ""];
  const pages = usePages(api.list, {});
  const [chosen, setChosen] = useState<string>();
  const [seen, setSeen] = useState<AccessReportDetail>();
  const close = () => go({ report: undefined });
  return (
    <Panel
      title="Access Report"
      description="Who saw or changed a patient's data, or what a person did: people and agents, what each read or changed, and in which call. For an accounting of disclosures (45 CFR 164.528)."
    >
      <Stack gap="6">
        <AccessForm
          key={person}
          api={api}
          isTenant={isTenant}
          userId={isRecordId(person) ? person : ""}
          onRequested={({ id }) => {
            pages.refresh();
            go({ report: id });
          }}
        />
        <AccessList
          pages={pages}
          seen={seen}
          isTenant={isTenant}
          openId={reportId}
          onOpen={(id) => {
            setChosen(id);
            go({ report: id });
          }}
          onClose={close}
        />
        {isRecordId(reportId) ? (
          <AccessReport key={reportId} api={api} reportId={reportId} takesFocus={reportId === chosen} onSeen={setSeen} onClose={close} />
        ) : null}
      </Stack>
    </Panel>
  );
};

export default AccessPanel;
