import { type ListedCall, tenantCalls } from "@vitaline/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Forgetting } from "../../lib/api/isolated-cache.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { formatDuration, formatMoment, useZone } from "../../lib/format/times.ts";
import { CallView } from "./call-view.tsx";

type Props = {
  callId: string;
  /** Names by id. */ offices: ReadonlyMap<string, string>;
  onClose: () => void;
  /** Its follow-up was. */ onChanged: (call: ListedCall) => void;
};

const OpenCall = ({ callId, offices, onClose, onChanged }: Props) => {
  const loaded = useApi(tenantCalls.readCall, { params: { callId } });
  const refresh = useRefresh();
  const [isDirty, setIsDirty] = useState(false);
  const zone = useZone();
  const { data } = loaded;
  const description = data && `${formatMoment(data.createdAt, zone)} · ${formatDuration(data.duration)}`;
  return (
    <Dialog title="Call details" size="xl" isDirty={isDirty} onClose={onClose} {...(description === undefined ? {} : { description })}>
      <Loadable loaded={loaded} what="the call" skeleton={<RowSkeletons />}>
        {(call) => (
          <CallView
            call={call}
            offices={offices}
            onDraft={setIsDirty}
            onReload={loaded.refresh}
            onChanged={async (changed) => {
              onChanged(changed);
              await refresh(tenantCalls.readCall);
            }}
          />
        )}
      </Loadable>
    </Dialog>
  );
};

/** One call in full. Each opening is a reading of its own, which is audited, and what was read is forgotten when it closes. */
export const CallDialog = (props: Props) => (
  <Forgetting>
    <OpenCall {...props} />
  </Forgetting>
);
