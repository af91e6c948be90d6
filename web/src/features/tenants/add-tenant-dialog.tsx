import { dashboard, NewTenant, type Tenant, tenants } from "@vitaline/contract";
import { useEffect, useRef, useState } from "react";
import type * as z from "zod/mini";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { isUncertain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { readAll } from "../../lib/api/use-all.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { showOnce, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { requiredMessages, TenantFields } from "./tenant-fields.tsx";
import { Success } from "../../components/feedback/alerts.tsx";

type Props = { onOpen: (tenantId: string) => void; onInvite: (tenantId: string) => void; onClose: () => void };
type CreatedTenant = Pick<Tenant, "id" | "name">;

const emptyTenant: z.input<typeof NewTenant> = {
  name: "",
  organizationType: "clinic",
  contactEmail: "",
  contactPhone: "",
  address: "",
  description: "",
};

const AddTenantDialog = ({ onOpen, onInvite, onClose }: Props) => {
  const refresh = useRefresh();
  const [made, setMade] = useState<CreatedTenant>();
  /** An earlier attempt may have created the tenant. */
  const mayBeThere = useRef(false);
  const create = async (body: NewTenant): Promise<CreatedTenant> => {
    try {
      return await call(tenants.createTenant, { body });
    } catch (error) {
      mayBeThere.current = isUncertain(error);
      throw error;
    }
  };
  const { field, form, failure, isBusy, submit } = useRequestForm<z.input<typeof NewTenant>, NewTenant>({
    schema: NewTenant,
    defaultValues: emptyTenant,
    send: async (body) => {
      const { id, name } = (mayBeThere.current && (await findDuplicate(body))) || (await create(body));
      setMade({ id, name });
      await refresh(tenants.listTenants, dashboard.platformMetrics).catch(() => undefined);
    },
  });
  const told = showOnce("Organization name and contact email are required", requiredMessages, field);
  return (
    <Dialog title="Add New Healthcare Organization" isDirty={!made && form.formState.isDirty} onClose={onClose}>
      {made ? (
        <TenantCreated name={made.name} onInvite={() => onInvite(made.id)} onOpen={() => onOpen(made.id)} onDone={onClose} />
      ) : (
        <FormFrame onSubmit={submit} failure={failure ?? told.sentence}>
          <TenantFields field={told.field} />
          <DialogButtons isBusy={isBusy} action="Create Organization" busyAction="Creating..." onCancel={onClose} />
        </FormFrame>
      )}
    </Dialog>
  );
};

const findDuplicate = async ({ name, contactEmail }: NewTenant): Promise<CreatedTenant | undefined> =>
  (await readAll(tenants.listTenants, {})).find((one) => one.name === name && one.contactEmail === contactEmail);

type TenantMadeProps = { name: string; onInvite: () => void; onOpen: () => void; onDone: () => void };

const TenantCreated = ({ name, onInvite, onOpen, onDone }: TenantMadeProps) => {
  const next = useRef<HTMLButtonElement>(null);
  // The focused form is gone.
  useEffect(() => next.current?.focus(), []);
  return (
    <Stack gap="5">
      <Success text={`${name} was created.`} />
      <Text>
        It has its own API key, listed under API &amp; Security. No one can sign in for it yet: invite its first administrator, who chooses
        a password with a link sent by email.
      </Text>
      <Flex gap="3" wrap="wrap">
        <Button ref={next} aria-haspopup="dialog" onClick={onInvite}>
          Invite tenant admin
        </Button>
        <Button variant="outline" aria-haspopup="dialog" onClick={onOpen}>
          Open details
        </Button>
        <Button variant="outline" onClick={onDone}>
          Done
        </Button>
      </Flex>
    </Stack>
  );
};

export default AddTenantDialog;
