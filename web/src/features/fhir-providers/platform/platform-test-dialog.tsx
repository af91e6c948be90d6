import { type FhirProvider, fhirProviders } from "@vitaline/contract";
import { call } from "../../../lib/api/call.ts";
import type { Loaded } from "../../../lib/api/use-api.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { formatName } from "../../../lib/format/labels.ts";
import { ConnectionTestDialog } from "../connection-test/connection-test-dialog.tsx";
import { TestAll } from "./test-all.tsx";

type Props = {
  providers: Loaded<FhirProvider[]>;
  /** undefined: the user chooses one, or tests all */
  providerId: string | undefined;
  onClose: () => void;
};

const { listFhirProviders, fhirHealthStatus, testFhirProvider } = fhirProviders;

const PlatformTestDialog = ({ providers, providerId, onClose }: Props) => {
  const refresh = useRefresh();
  const onTested = () => void refresh(listFhirProviders, fhirHealthStatus).catch(() => undefined);
  if (providers.data === undefined)
    return (
      <Dialog title="Test FHIR Connection" onClose={onClose}>
        <Loadable loaded={providers} what="providers" failed="Failed to fetch providers" skeleton={<RowSkeletons />}>
          {() => null}
        </Loadable>
      </Dialog>
    );
  return (
    <ConnectionTestDialog
      providers={providers.data}
      {...(providerId !== undefined && { providerId })}
      test={(id, patientId) => call(testFhirProvider, { params: { id }, body: { patientId } })}
      titleOf={formatName}
      onTested={onTested}
      onClose={onClose}
    >
      {providerId === undefined ? <TestAll providers={providers.data.filter(({ isActive }) => isActive)} onTested={onTested} /> : null}
    </ConnectionTestDialog>
  );
};

export default PlatformTestDialog;
