import { Button } from "@chakra-ui/react/button";
import { platformKeys } from "@vitaline/contract";
import KeyRound from "lucide-react/dist/esm/icons/key-round.mjs";
import RotateCw from "lucide-react/dist/esm/icons/rotate-cw.mjs";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { useLaterFocus } from "../../lib/dom/use-later-focus.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Failure } from "../../components/feedback/notices.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { KeyList } from "./key-list.tsx";
import { published } from "./key-order.ts";
import { RetirementQuestion } from "./retirement-question.tsx";
import { RotationQuestion } from "./rotation-question.tsx";
import { useGeneration } from "./use-generation.ts";

const failed = "Failed to load platform keys. This may indicate a configuration issue.";

/** The first key; nobody relies on another one yet, so nobody is asked. */
const NoKey = ({ onGenerated }: { onGenerated: () => void }) => {
  const { run, isBusy, failure } = useGeneration(onGenerated);
  return (
    <Empty
      icon={KeyRound}
      title="No platform keys yet"
      description="With a key pair, EHR systems know the platform by its signature instead of by a shared secret."
    >
      <Failure text={failure} />
      <Button aria-disabled={isBusy} onClick={run}>
        {isBusy ? "Generating..." : "Generate Initial Key Pair"}
      </Button>
    </Empty>
  );
};

/** The keys with which the platform shows EHR systems who it is. */
const PlatformKeysPanel = () => {
  const keys = useApi(platformKeys.listPlatformKeys, {});
  const [isRotating, setIsRotating] = useState(false);
  const [retired, setRetired] = useState<string>();
  const { button, focusLater } = useLaterFocus();
  const isPopulated = keys.data !== undefined && published(keys.data).length > 0;
  return (
    <Panel
      title="Platform Keys"
      description="EHR systems check by these public keys that it is the platform who asks"
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

export default PlatformKeysPanel;
