import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type Lead, leads } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Forgetting } from "../../lib/api/isolated-cache.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { LeadFacts } from "./lead-facts.tsx";
import { LeadState } from "./lead-state.tsx";

type Props = {
  leadId: string;
  offices: ReadonlyMap<string, string>;
  onClose: () => void;
  /** Its state was. */ onChanged: (lead: Lead) => void;
  /** By somebody else, it seems. */ onOutdated: () => void;
};

const OpenLead = ({ leadId, offices, onClose, onChanged, onOutdated }: Props) => {
  const loaded = useApi(leads.readLead, { params: { leadId } });
  const refresh = useRefresh();
  const showChanged = async (changed: Lead): Promise<void> => {
    onChanged(changed);
    await refresh(leads.readLead);
  };
  const reload = () => {
    loaded.refresh();
    onOutdated();
  };
  return (
    <Dialog title="Lead" onClose={onClose}>
      <Loadable loaded={loaded} what="the lead" skeleton={<RowSkeletons />}>
        {(lead) => (
          <Stack gap="6">
            <LeadFacts lead={lead} offices={offices} />
            <LeadState lead={lead} onChanged={showChanged} onReload={reload} />
            <Text textStyle="sm" color="fg.muted">
              That you have read this is kept in the audit log.
            </Text>
          </Stack>
        )}
      </Loadable>
    </Dialog>
  );
};

/** One lead with how to reach them. Each opening is a reading of its own, which is audited, and what was read is forgotten when it closes. */
const LeadDialog = (props: Props) => (
  <Forgetting>
    <OpenLead {...props} />
  </Forgetting>
);

export default LeadDialog;
