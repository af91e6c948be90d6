import { Stack } from "@chakra-ui/react/stack";
import { IntegrationGuide } from "./integration-guide.tsx";
import { PoliciesForm } from "./policies-form.tsx";
import { TenantKey } from "./tenant-key.tsx";
import type { Saving } from "./tenant-parts.tsx";
import { useShown } from "../api-keys/keys/use-revealed-secret.ts";
import { lookAtKey } from "./use-tenant.ts";

/** The key lives as long as this is shown: it goes when another part is opened. */
const Integration = ({ tenantId }: { tenantId: string }) => {
  const read = () => lookAtKey(tenantId);
  const shown = useShown(read);
  return (
    <>
      <TenantKey tenantId={tenantId} shown={shown} read={read} />
      <IntegrationGuide tenantId={tenantId} apiKey={shown.secret} read={read} />
    </>
  );
};

/** How voice platforms reach the platform for this organization, and what it asks of its people and agents. */
const SecurityPart = ({ isShown, ...saving }: Saving & { isShown: boolean }) => (
  <Stack gap="8">
    {isShown ? <Integration tenantId={saving.tenant.id} /> : null}
    <PoliciesForm {...saving} />
  </Stack>
);

export default SecurityPart;
