import { type OfficeChange, type OfficeDetail, tenantOffices } from "@vitaline/contract";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { announce } from "../../app/toaster.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { AgentsPart } from "./agents-part.tsx";
import { CalendarPart } from "./calendar-part.tsx";
import { OfficeEditor, type OwnPart } from "./office-editor.tsx";
import { RecordSystemPart } from "./record-system-part.tsx";
import { type TellDraft, useDrafts } from "./use-drafts.ts";
import type { OfficeStore } from "./use-office-form.ts";
import { newOffice, useOfficePlace } from "./use-office-place.ts";
import { useOrganization } from "./use-organization.ts";

/** Keeps an office of the signed-in tenant's; then the dialog is done. */
const useOfficeStore = (officeId: string, onSaved: () => void): OfficeStore => {
  const refresh = useRefresh();
  const params = { officeId };
  const put = (body: OfficeChange, version: number | undefined) =>
    version === undefined
      ? call(tenantOffices.createOwnOffice, { body })
      : call(tenantOffices.updateOwnOffice, { params, body }, { ifMatch: version });
  return {
    save: async (change, version) => {
      const { name } = await put(change, version);
      announce({ type: "success", title: version === undefined ? "Office added" : "Office saved", description: name });
      onSaved();
      await refresh(tenantOffices.officeCards);
    },
    readAgain: () => call(tenantOffices.getOwnOffice, { params }),
  };
};

const partsOf = (office: OfficeDetail, onDraft: TellDraft): OwnPart[] => [
  { value: "agents", label: "Voice agents", content: () => <AgentsPart officeId={office.id} onDraft={onDraft} /> },
  { value: "record-system", label: "Record system", content: (form) => <RecordSystemPart office={office} form={form} onDraft={onDraft} /> },
  { value: "calendar", label: "Calendar", content: () => <CalendarPart officeId={office.id} onDraft={onDraft} /> },
];

/** Adds an office, or changes one in all that can be set for it. */
const OfficeDialog = ({ officeId }: { officeId: string }) => {
  const { part, show, close } = useOfficePlace();
  const isNew = officeId === newOffice;
  const organization = useOrganization();
  const office = useApi(tenantOffices.getOwnOffice, { params: { officeId } }, { when: !isNew, fresh: true });
  const { drafts, tell } = useDrafts();
  const store = useOfficeStore(officeId, close);
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
