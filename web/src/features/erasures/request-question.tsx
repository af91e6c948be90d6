import { type ErasureKind, tenants } from "@vitaline/contract";
import { useAll } from "../../lib/api/use-all.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Effects } from "./effects.tsx";
import { kindsInText, waitInWords } from "./erasure-words.ts";

type Props = { kind: ErasureKind; tenantId: string; isBusy: boolean; onConfirm: () => void; onCancel: () => void };

/** Asks before an erasure is asked for: it begins by itself after a while. */
export const RequestQuestion = ({ kind, tenantId, ...asking }: Props) => {
  // The list that it was chosen from.
  const { data = [] } = useAll(tenants.listTenants, {});
  return (
    <Confirmation title={`Erase ${kindsInText[kind]}?`} action="Request erasure" busyAction="Requesting..." isDangerous {...asking}>
      <Effects
        kind={kind}
        of={data.find(({ id }) => id === tenantId)?.name ?? tenantId}
        when={`It starts by itself after ${waitInWords(kind)}.`}
      />
    </Confirmation>
  );
};
