import { dashboard, NewTenant, type Tenant, tenants } from "@vitaline/contract";
import { useState } from "react";
import type * as z from "zod/mini";
import { call } from "../../api/call.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { useRequestForm } from "../../app/request-form.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-buttons.tsx";
import { FormFrame } from "../../components/form-frame.tsx";
import { TenantFields } from "./tenant-fields.tsx";
import { TenantMade } from "./tenant-made.tsx";

type Made = Pick<Tenant, "id" | "name">;
type Props = { onOpen: (tenantId: string) => void; onInvite: (tenantId: string) => void; onClose: () => void };

const noTenant: z.input<typeof NewTenant> = {
  name: "",
  organizationType: "clinic",
  contactEmail: "",
  contactPhone: "",
  address: "",
  description: "",
};

/** Adds an organization, then leads on to its first administrator. */
const AddTenantDialog = ({ onOpen, onInvite, onClose }: Props) => {
  const refresh = useRefresh();
  const [made, setMade] = useState<Made>();
  const { field, form, failure, isBusy, submit } = useRequestForm<z.input<typeof NewTenant>, NewTenant>({
    schema: NewTenant,
    defaultValues: noTenant,
    send: async (body) => {
      const { id, name } = await call(tenants.createTenant, { body });
      setMade({ id, name });
      await refresh(tenants.listTenants, dashboard.platformMetrics).catch(() => undefined);
    },
  });
  return (
    <Dialog title="Add New Healthcare Organization" isDirty={!made && form.formState.isDirty} onClose={onClose}>
      {made ? (
        <TenantMade name={made.name} onInvite={() => onInvite(made.id)} onOpen={() => onOpen(made.id)} onDone={onClose} />
      ) : (
        <FormFrame onSubmit={submit} failure={failure}>
          <TenantFields field={field} />
          <DialogButtons isBusy={isBusy} action="Create Organization" busyAction="Creating..." onCancel={onClose} />
        </FormFrame>
      )}
    </Dialog>
  );
};

export default AddTenantDialog;
