import { type OfficeChange, type OfficeDetail, offices, type TenantDetail } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { announce } from "../../app/toaster.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { OfficeEditor } from "../offices/office-editor.tsx";
import { useDrafts } from "../offices/use-drafts.ts";
import type { OfficeStore } from "../offices/use-office-form.ts";
import { inheritedFrom } from "../offices/use-organization.ts";
import { newOffice } from "../offices/use-office-place.ts";

type Props = { tenant: TenantDetail; officeId: string; onClose: () => void };

/** Keeps an office of any tenant's; then the dialog is done. */
const useOfficeStore = (tenantId: string, officeId: string, onSaved: () => void): OfficeStore => {
  const refresh = useRefresh();
  const params = { tenantId, officeId };
  const put = (body: OfficeChange, version: number | undefined) =>
    version === undefined
      ? call(offices.createOffice, { params: { tenantId }, body })
      : call(offices.updateOffice, { params, body }, { ifMatch: version });
  return {
    save: async (change, version) => {
      const { name } = await put(change, version);
      announce({ type: "success", title: version === undefined ? "Office added" : "Office saved", description: name });
      onSaved();
      await refresh(offices.listOffices);
    },
    readAgain: () => call(offices.getOffice, { params }),
  };
};

/** Adds an office to a tenant, or changes what is set for one. */
const TenantOfficeDialog = ({ tenant, officeId, onClose }: Props) => {
  const isNew = officeId === newOffice;
  const [part, setPart] = useState("details");
  const request = { params: { tenantId: tenant.id, officeId } };
  const office = useApi(offices.getOffice, request, { when: !isNew, fresh: true });
  const { drafts, tell } = useDrafts();
  const store = useOfficeStore(tenant.id, officeId, onClose);
  const editor = (of: OfficeDetail | undefined) => (
    <OfficeEditor
      office={of}
      organization={inheritedFrom(tenant)}
      store={store}
      part={part}
      onShow={setPart}
      onDraft={tell}
      ownParts={[]}
    />
  );
  return (
    <Dialog title={isNew ? "Add Office" : "Edit Office"} description={tenant.name} size="lg" isDirty={drafts.length > 0} onClose={onClose}>
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

export default TenantOfficeDialog;
