import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { Id, tenant, type ToDo, toDo } from "@vitaline/contract";
import { lazy, Suspense, useRef } from "react";
import { InlineSelect } from "../../components/form/inline-select.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { DashboardTitle, Panel } from "../../components/layout/panel.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { usePages } from "../../lib/api/use-pages.ts";
import { useReadAgainNextTime } from "../../lib/api/use-refresh.ts";
import { ZoneContext } from "../../lib/format/times.ts";
import { isRecordId, useSearchValues } from "../../lib/routing/search-params.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { useOfficeNames } from "../calls/office-names.ts";
import { OfficePicker } from "../calls/office-picker.tsx";
import { groupNames, ownerNames, type OwnerFilter, readGroup, readOwner } from "./to-do-format.ts";
import { ToDoList } from "./to-do-list.tsx";

const MailNoticesPanel = lazy(() => import("./mail-notices-panel.tsx"));
const ToDoDialog = lazy(() => import("./to-do-dialog.tsx"));

const allGroups = [["", "Everything"], ...Object.entries(groupNames)] as const;
const owners = Object.entries(ownerNames);
const ownerQueries: Record<OwnerFilter, { mine?: "true"; unassigned?: "true" }> = {
  "": {},
  mine: { mine: "true" },
  none: { unassigned: "true" },
};
const states = [
  ["", "Open"],
  ["done", "Done"],
] as const;

const emptyTexts = {
  open: { title: "Nothing to do", description: "Work for your staff from calls and connections appears here." },
  done: { title: "Nothing done yet", description: "What you and your colleagues mark as done appears here." },
  filtered: { title: "Nothing here", description: "Change the filters above to see the rest." },
} as const;

const ToDoPage = () => {
  const { user } = useAuth();
  const settings = useApi(tenant.tenantSettings, {});
  const offices = useOfficeNames();
  const { search, replace } = useSearchValues();
  const group = readGroup(search.get("group") ?? undefined);
  const officeId = Id.safeParse(search.get("office")).data;
  const owner = readOwner(search.get("owner"));
  const isDone = search.get("show") === "done";
  const opened = search.get("item");
  const pages = usePages(toDo.listToDo, {
    query: { done: isDone ? "true" : "false", group, ...ownerQueries[owner], officeId },
  });
  useReadAgainNextTime(toDo.listToDo);
  const picker = useRef<HTMLSelectElement>(null);
  const isMisplaced = useRef(false);
  const replaceRow = (item: ToDo) => {
    const before = pages.data?.find(({ id }) => id === item.id);
    if (before?.dueAt !== item.dueAt || (owner !== "" && before.owner?.id !== item.owner?.id)) isMisplaced.current = true;
    pages.replace(item);
  };
  const close = () => {
    replace({ item: undefined });
    if (isMisplaced.current) pages.refresh();
    isMisplaced.current = false;
    // The opened row may have left the list, and focus with it.
    setTimeout(() => document.activeElement === document.body && picker.current?.focus());
  };
  return (
    <ZoneContext value={settings.data?.timeZone}>
      <Container py={{ base: "6", md: "page" }}>
        <Stack gap={{ base: "6", md: "8" }}>
          <DashboardTitle title="To do" subtitle={user?.tenantName ?? ""} receivedAt={pages.receivedAt} />
          <Panel
            title={isDone ? "Done" : "Open"}
            description={
              isDone
                ? "Most recent first."
                : "Emergencies first, then by due time. Open an item to see the patient, as far as known; that is audited."
            }
            actions={
              <>
                <InlineSelect
                  ref={picker}
                  label="Which items"
                  value={group ?? ""}
                  options={allGroups}
                  onPick={(value) => replace({ group: value })}
                />
                <InlineSelect label="Whose" value={owner} options={owners} onPick={(value) => replace({ owner: value })} />
                {offices.size > 1 || officeId !== undefined ? (
                  <OfficePicker officeId={officeId ?? ""} onPick={(value) => replace({ office: value })} />
                ) : null}
                <InlineSelect
                  label="Open or done"
                  value={isDone ? "done" : ""}
                  options={states}
                  onPick={(value) => replace({ show: value })}
                />
              </>
            }
          >
            <ToDoList
              pages={pages}
              empty={emptyTexts[group !== undefined || owner !== "" || officeId !== undefined ? "filtered" : isDone ? "done" : "open"]}
              offices={offices}
              onOpen={(item) => replace({ item })}
            />
          </Panel>
          <Suspense fallback={null}>
            <MailNoticesPanel />
          </Suspense>
          <TextLink to="/tenant" alignSelf="flex-start">
            Back to the dashboard
          </TextLink>
        </Stack>
      </Container>
      <Suspense fallback={null}>
        {isRecordId(opened) ? (
          <ToDoDialog key={opened} id={opened} offices={offices} onClose={close} onChanged={replaceRow} onOutdated={pages.refresh} />
        ) : null}
      </Suspense>
    </ZoneContext>
  );
};

export default ToDoPage;
