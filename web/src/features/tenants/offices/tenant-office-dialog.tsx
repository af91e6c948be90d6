import { type OfficeDetail, offices, type TenantDetail } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../../lib/api/call.ts";
import { useApi } from "../../../lib/api/use-api.ts";
import { useDrafts } from "../../../lib/forms/drafts.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { OfficeEditor } from "../../offices/form/office-editor.tsx";
import { newOffice } from "../../offices/office-route.ts";
import { inheritedFrom, useOfficeStore } from "../../offices/form/use-office-form.ts";

type Props = { tenant: TenantDetail; officeId: string; onClose: () => void };

const waysOf = (tenantId: string, officeId: string): Parameters<typeof useOfficeStore>[0] => {
  const params = { tenantId, officeId };
  return {
    create: (body) => call(offices.createOffice, { params: { tenantId }, body }),
    update: (body, version) => call(offices.updateOffice, { params, body }, { ifMatch: version }),
    read: () => call(offices.getOffice, { params }),
    list: offices.listOffices,
  };
};

const TenantOfficeDialog = ({ tenant, officeId, onClose }: Props) => {
  const isNew = officeId === newOffice;
  const [part, setPart] = useState("details");
  const request = { params: { tenantId: tenant.id, officeId } };
  const office = useApi(offices.getOffice, request, { when: !isNew, fresh: true });
  const { drafts, tell } = useDrafts();
  const store = useOfficeStore(waysOf(tenant.id, officeId), onClose);
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
