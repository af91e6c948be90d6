import { fhirProviders } from "@vitaline/contract";
import HeartPulse from "lucide-react/dist/esm/icons/heart-pulse.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { ConnectionHealthList } from "./connection-health-list.tsx";
import { useListInStep } from "./use-list-in-step.ts";

const pollMilliseconds = 30_000;

/** Whether the record systems answer; asked for again every half minute as long as the page is looked at. */
const ConnectionHealthPanel = () => {
  const health = useApi(fhirProviders.fhirHealthStatus, {}, { pollMilliseconds });
  useListInStep(health.data?.providers);
  return (
    <Panel title="Connection Health" description="What the last checks found. The platform checks every enabled connection by itself.">
      <Loadable
        loaded={health}
        what="health status"
        loading="Checking connection health..."
        failed="Failed to fetch health status"
        skeleton={<RowSkeletons />}
      >
        {({ providers }) =>
          providers.length === 0 ? (
            <Empty
              icon={HeartPulse}
              title="No FHIR connections to monitor."
              description="They appear here once a FHIR provider is added."
            />
          ) : (
            <ConnectionHealthList providers={providers} now={health.receivedAt ?? new Date(0)} />
          )
        }
      </Loadable>
    </Panel>
  );
};

export default ConnectionHealthPanel;
