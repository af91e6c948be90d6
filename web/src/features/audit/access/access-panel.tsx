import { Stack } from "@chakra-ui/react/stack";
import { useRef, useState } from "react";
import { Panel } from "../../../components/layout/panel.tsx";
import { usePages } from "../../../lib/api/use-pages.ts";
import { useReadAgainNextTime } from "../../../lib/api/use-refresh.ts";
import { isRecordId, useSearchValues } from "../../../lib/routing/search-params.ts";
import type { AccessApi } from "./access-api.ts";
import { AccessForm } from "./access-form.tsx";
import { AccessList, type EndedReports } from "./access-list.tsx";
import { AccessReport } from "./access-report.tsx";

type Props = { api: AccessApi; isTenant: boolean };

/** The report's id and the person's are in the address; a patient's never is. */
const AccessPanel = ({ api, isTenant }: Props) => {
  const { search, go } = useSearchValues();
  const [reportId, person] = [search.get("report"), search.get("person") ?? ""];
  const pages = usePages(api.list, {});
  const [chosen, setChosen] = useState<string>();
  const [named, setNamed] = useState<{ reportId: string; patientName: string | undefined }>();
  const [ended, setEnded] = useState<EndedReports>(new Map());
  useReadAgainNextTime(api.list);
  const list = useRef<HTMLDivElement>(null);
  const openRow = useRef<HTMLButtonElement>(null);
  const close = () => {
    // The pressed button may go with the report.
    (openRow.current ?? list.current)?.focus();
    go({ report: undefined });
  };
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
          onRequested={({ id }, patientName) => {
            setNamed({ reportId: id, patientName });
            pages.refresh();
            go({ report: id });
          }}
        />
        <AccessList
          pages={pages}
          ended={ended}
          isTenant={isTenant}
          openId={reportId}
          onOpen={(id) => {
            setChosen(id);
            go({ report: id });
          }}
          onClose={close}
          ref={list}
          openRow={openRow}
        />
        {isRecordId(reportId) ? (
          <AccessReport
            key={reportId}
            api={api}
            reportId={reportId}
            patientName={named?.reportId === reportId ? named.patientName : undefined}
            takesFocus={reportId === chosen}
            onEnded={({ id, state, found }) => setEnded((before) => new Map(before).set(id, { state, found }))}
            onClose={close}
          />
        ) : null}
      </Stack>
    </Panel>
  );
};

export default AccessPanel;
