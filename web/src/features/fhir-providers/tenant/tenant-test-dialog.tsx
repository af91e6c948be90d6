import { type TenantFhirProvider, tenantFhirProviders, tools } from "@vitaline/contract";
import { call } from "../../../lib/api/call.ts";
import { useApi } from "../../../lib/api/use-api.ts";
import { ConnectionTestDialog } from "../connection-test/connection-test-dialog.tsx";

type Props = { providers: readonly TenantFhirProvider[]; providerId: string; onTested: () => void; onClose: () => void };

const TenantTestDialog = ({ providers, ...rest }: Props) => {
  const { data: listed = [] } = useApi(tools.listTools, {});
  return (
    <ConnectionTestDialog
      providers={providers.map(({ id, providerName, providerType }) => ({ id, name: providerName, providerType }))}
      test={(id, patientId) => call(tenantFhirProviders.testTenantFhirProvider, { params: { id }, body: { patientId } })}
      titleOf={(toolName) => listed.find(({ name }) => name === toolName)?.title ?? toolName}
      {...rest}
    />
  );
};

export default TenantTestDialog;
