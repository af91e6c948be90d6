import { type OfficeDetail, tenantOffices } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { type ReportDraft, useDrafts } from "../../lib/forms/drafts.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { AgentsPart } from "./agents/agents-part.tsx";
import { CalendarPart } from "./calendar-part.tsx";
import { OfficeEditor, type OfficeTab } from "./form/office-editor.tsx";
import { RecordSystemPart } from "./record-system-part.tsx";
import { newOffice, useOfficeRoute } from "./office-route.ts";
import { useOfficeStore, useOrganization } from "./form/use-office-form.ts";

const requestsFor = (officeId: string): Parameters<typeof useOfficeStore>[0] => {
  const params = { officeId };
  return {
    create: (body) => call(tenantOffices.createOwnOffice, { body }),
    update: (body, version) => call(tenantOffices.updateOwnOffice, { params, body }, { ifMatch: version }),
    read: () => call(tenantOffices.getOwnOffice, { params }),
    list: tenantOffices.officeCards,
  };
};

const partsOf = (office: OfficeDetail, onDraft: ReportDraft): OfficeTab[] => [
  { value: "agents", label: "Voice agents", content: () => <AgentsPart officeId={office.id} onDraft={onDraft} /> },
  { value: "record-system", label: "Record system", content: (form) => <RecordSystemPart office={office} form={form} onDraft={onDraft} /> },
  { value: "calendar", label: "Calendar", content: () => <CalendarPart officeId={office.id} onDraft={onDraft} /> },
];

const OfficeDialog = ({ officeId }: { officeId: string }) => {
  const { part, show, close } = useOfficeRoute();
  const isNew = officeId === newOffice;
  const organization = useOrganization();
  const office = useApi(tenantOffices.getOwnOffice, { params: { officeId } }, { when: !isNew, fresh: true });
  const { drafts, tell } = useDrafts();
  const store = useOfficeStore(requestsFor(officeId), close);
  const editor = (of: OfficeDetail | undefined) => (
    <Loadable loaded={organization} what="the organization's settings" skeleton={<RowSkeletons />}>
      {(inherited) => (
        <OfficeEditor
          office={of}
          organization={inherited}
          store={store}
          part={part}
          onShow={show}
          onDraft={tell}
          ownParts={of === undefined ? [] : partsOf(of, tell)}
        />
      )}
    </Loadable>
  );
  const isOnlyAddress = drafts.every((part) => part === "calendar");
  return (
    <Dialog
      title={isNew ? "Add Office" : "Edit Office"}
      description={office.data?.name}
      size="lg"
      isDirty={drafts.length > 0}
      {...(isOnlyAddress ? { unsaved: "The calendar address has not been copied, and it is not shown again." } : {})}
      onClose={close}
    >
      {isNew ? (
        editor(undefined)
      ) : (
        <Loadable loaded={office} what="the office" skeleton={<RowSkeletons />}>
          {editor}
        </Loadable>
      )}
    </Dialog>
  );
};

export default OfficeDialog;
