import { Button } from "@chakra-ui/react/button";
import { type PlatformKey, platformKeys } from "@vitaline/contract";
import KeyRound from "lucide-react/dist/esm/icons/key-round.mjs";
import RotateCw from "lucide-react/dist/esm/icons/rotate-cw.mjs";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Failure } from "../../components/feedback/alerts.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { KeyList } from "./key-list.tsx";
import { published, shortKid } from "./key-order.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { explain } from "../../lib/api/api-error.ts";

const failed = "Failed to load platform keys. This may indicate a configuration issue.";

const PlatformKeysPanel = () => {
  const keys = useApi(platformKeys.listPlatformKeys, {});
  const [isRotating, setIsRotating] = useState(false);
  const [retired, setRetired] = useState<string>();
  const { button, focusLater } = useFocusLater();
  const isPopulated = keys.data !== undefined && published(keys.data).length > 0;
  return (
    <Panel
      title="Platform Keys"
      description="EHR systems use these public keys to verify requests from the platform"
      actions={
        isPopulated ? (
          <Button ref={button} size="sm" variant="outline" onClick={() => setIsRotating(true)}>
            <RotateCw aria-hidden />
            Rotate Keys
          </Button>
        ) : undefined
      }
    >
      <Loadable loaded={keys} what="platform keys" failed={failed} skeleton={<RowSkeletons />}>
        {(list) => (isPopulated ? <KeyList keys={list} onRetire={setRetired} /> : <NoKey onGenerated={focusLater} />)}
      </Loadable>
      {isRotating ? <RotationQuestion onClose={() => setIsRotating(false)} /> : null}
      {retired === undefined ? null : (
        <RetirementQuestion
          kid={retired}
          onClose={(isRetired) => {
            setRetired(undefined);
            if (isRetired) focusLater();
          }}
        />
      )}
    </Panel>
  );
};

/** Without a key there is nothing to confirm. */
const NoKey = ({ onGenerated }: { onGenerated: () => void }) => {
  const { run, isBusy, failure } = useKeyGeneration(onGenerated);
  return (
    <Empty
      icon={KeyRound}
      title="No platform keys yet"
      description="With a key pair, EHR systems identify the platform by its signature instead of a shared secret."
    >
      <Failure text={failure} />
      <Button aria-disabled={isBusy} onClick={run}>
        {isBusy ? "Generating..." : "Generate Initial Key Pair"}
      </Button>
    </Empty>
  );
};

const useKeyGeneration = (onGenerated: () => void) => {
  const refresh = useRefresh();
  return useInlineAction(async () => {
    await call(platformKeys.generatePlatformKey, { body: { algorithm: "RS256" } });
    announce({
      type: "success",
      title: "Platform Key Generated",
      description: "New RSA key pair generated successfully. EHR systems will automatically discover the new key.",
    });
    await refresh(platformKeys.listPlatformKeys).catch(() => undefined);
    onGenerated();
  }, tellFailed);
};

const tellFailed = (error: unknown): string => {
  announce({ type: "error", title: "Key Generation Failed", description: explain(error) });
  return explain(error);
};

const RotationQuestion = ({ onClose }: { onClose: () => void }) => {
  const { run, isBusy, failure } = useKeyGeneration(onClose);
  return (
    <Confirmation
      title="Rotate Keys"
      action="Rotate Keys"
      busyAction="Generating..."
      isBusy={isBusy}
      failure={failure}
      onConfirm={run}
      onCancel={onClose}
    >
      A new key pair is generated and published at once. The platform starts to use it in two hours, once EHR systems have fetched it. The
      current key stays published two hours longer, so that nothing it signed is refused. No EHR has to be reconfigured.
    </Confirmation>
  );
};

type Props = Pick<PlatformKey, "kid"> & { onClose: (isRetired: boolean) => void };

const RetirementQuestion = ({ kid, onClose }: Props) => {
  const refresh = useRefresh();
  const { run, isBusy, failure } = useInlineAction(async () => {
    await call(platformKeys.retirePlatformKey, { params: { kid } });
    announce({ type: "success", title: "Key retired", description: "It is no longer in the published key set." });
    onClose(true);
    await refresh(platformKeys.listPlatformKeys);
  });
  return (
    <Confirmation
      title={`Retire ${shortKid(kid)}`}
      action="Retire key"
      busyAction="Retiring..."
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onConfirm={run}
      onCancel={() => onClose(false)}
    >
      EHR systems refuse what this key has signed as soon as they fetch the key set again. It retires automatically when it is no longer
      needed; retire it now only if it may have been misused.
    </Confirmation>
  );
};

export default PlatformKeysPanel;
