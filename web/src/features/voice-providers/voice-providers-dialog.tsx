import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import type { FormState } from "../../lib/forms/drafts.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { TenantChoice } from "../../components/tenants/tenant-choice.tsx";
import { ProvidersPart } from "./providers-part.tsx";

type Props = {
  /** "" for none */
  tenantId: string;
  onTenant: (tenantId: string) => void;
  onChanged: (tenantId: string) => Promise<void>;
  onClose: () => void;
};

const VoiceProvidersDialog = ({ tenantId, onTenant, onChanged, onClose }: Props) => {
  // The organization cannot change while a form is open.
  const [form, setForm] = useState<FormState>("closed");
  return (
    <Dialog title="Voice Provider Configuration" size="lg" isDirty={form === "dirty"} onClose={onClose}>
      <Stack gap="6">
        <TenantChoice
          label="Tenant"
          hint={form === "closed" ? undefined : "Save or cancel your changes to choose another one."}
          error={undefined}
          value={tenantId}
          isDisabled={form !== "closed"}
          onChange={({ target }) => onTenant(target.value)}
        />
        {tenantId === "" ? (
          <chakra.p color="fg.muted">Choose a tenant to see its voice providers and to add one.</chakra.p>
        ) : (
          <ProvidersPart key={tenantId} tenantId={tenantId} onForm={setForm} onChanged={() => onChanged(tenantId)} />
        )}
      </Stack>
    </Dialog>
  );
};

export default VoiceProvidersDialog;
