import { dashboard, NewTenant, type Tenant, tenants } from "@vitaline/contract";
import { useRef, useState } from "react";
import type * as z from "zod/mini";
import { isUncertain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { readAll } from "../../lib/api/use-all.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { sayOnce, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { lacking } from "./lacking.ts";
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

/** The organization of this name and address, if there is one. */
const findSame = async ({ name, contactEmail }: NewTenant): Promise<Made | undefined> =>
  (await readAll(tenants.listTenants, {})).find((one) => one.name === name && one.contactEmail === contactEmail);

/** Adds an organization, then leads on to its first administrator. */
const AddTenantDialog = ({ onOpen, onInvite, onClose }: Props) => {
  const refresh = useRefresh();
  const [made, setMade] = useState<Made>();
  /** A try before this one may have made it all the same. */
  const mayBeThere = useRef(false);
  const create = async (body: NewTenant): Promise<Made> => {
    try {
      return await call(tenants.createTenant, { body });
    } catch (error) {
      mayBeThere.current = isUncertain(error);
      throw error;
    }
  };
  const { field, form, failure, isBusy, submit } = useRequestForm<z.input<typeof NewTenant>, NewTenant>({
    schema: NewTenant,
    defaultValues: noTenant,
    send: async (body) => {
      const { id, name } = (mayBeThere.current && (await findSame(body))) || (await create(body));
      setMade({ id, name });
      await refresh(tenants.listTenants, dashboard.platformMetrics).catch(() => undefined);
    },
  });
  const told = sayOnce("Organization name and contact email are required", lacking, field);
  return (
    <Dialog title="Add New Healthcare Organization" isDirty={!made && form.formState.isDirty} onClose={onClose}>
      {made ? (
        <TenantMade name={made.name} onInvite={() => onInvite(made.id)} onOpen={() => onOpen(made.id)} onDone={onClose} />
      ) : (
        <FormFrame onSubmit={submit} failure={failure ?? told.sentence}>
          <TenantFields field={told.field} />
          <DialogButtons isBusy={isBusy} action="Create Organization" busyAction="Creating..." onCancel={onClose} />
        </FormFrame>
      )}
    </Dialog>
  );
};

export default AddTenantDialog;
