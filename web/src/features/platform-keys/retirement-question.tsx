import { type PlatformKey, platformKeys } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { shortKid } from "./key-order.ts";

type Props = Pick<PlatformKey, "kid"> & { onClose: (isRetired: boolean) => void };

/** Asks before a previous key is taken out of the key set. */
export const RetirementQuestion = ({ kid, onClose }: Props) => {
  const refresh = useRefresh();
  const { run, isBusy, failure } = useToldAction(async () => {
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
      EHR systems refuse what this key has signed as soon as they fetch the key set again. It retires by itself when nothing needs it any
      more; do it now only if the key may have been misused.
    </Confirmation>
  );
};
