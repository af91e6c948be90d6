import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import type { FormState } from "../../lib/forms/drafts.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { TenantChoice } from "../../components/tenants/tenant-choice.tsx";
import { AgentsOfOffice, AgentsOfTenant } from "./agents-of-place.tsx";
import { OfficeChoice } from "./office-choice.tsx";

type Props = {
  /** "": none yet. */ tenantId: string;
  /** "": the tenant as a whole. */ officeId: string;
  onPlace: (tenantId: string, officeId?: string) => void;
  onChanged: (tenantId: string) => Promise<void>;
  onClose: () => void;
};

/** Which agents answer for an organization or one of its offices. */
const VoiceAgentsDialog = ({ tenantId, officeId, onPlace, onChanged, onClose }: Props) => {
  // What is typed belongs to one place, so that stays chosen meanwhile.
  const [form, setForm] = useState<FormState>("closed");
  const part = { tenantId, onForm: setForm, onChanged: () => onChanged(tenantId) };
  const fixed = { isDisabled: form !== "closed", error: undefined };
  return (
    <Dialog title="Voice Agent Management" size="lg" isDirty={form === "dirty"} onClose={onClose}>
      <Stack gap="6">
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
          <TenantChoice label="Tenant" {...fixed} value={tenantId} onChange={({ target }) => onPlace(target.value)} />
          {tenantId === "" ? null : (
            <OfficeChoice tenantId={tenantId} {...fixed} value={officeId} onChange={({ target }) => onPlace(tenantId, target.value)} />
          )}
        </SimpleGrid>
        {tenantId === "" ? <chakra.p color="fg.muted">Choose a tenant to see which agents answer for it.</chakra.p> : null}
        {tenantId !== "" && officeId === "" ? <AgentsOfTenant key={tenantId} {...part} /> : null}
        {tenantId !== "" && officeId !== "" ? <AgentsOfOffice key={officeId} {...part} officeId={officeId} /> : null}
      </Stack>
    </Dialog>
  );
};

export default VoiceAgentsDialog;
