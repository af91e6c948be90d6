import type { Erasure } from "@vitaline/contract";
import { Stack } from "@chakra-ui/react/stack";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { ErasedCounts, ErasureCertificate, ErasureFacts } from "./erasure-facts.tsx";
import { ErasureActions } from "./erasure-actions.tsx";
import { ErasureCopy } from "./erasure-copy.tsx";
import { ErasureProgress } from "./erasure-progress.tsx";
import { kindPhrases } from "./erasure-format.tsx";
import { useErasure } from "./use-erasure.ts";

type Props = { erasureId: string; onChanged: (erasure: Erasure) => void; onClose: () => void };

const ErasureDialog = ({ erasureId, onChanged, onClose }: Props) => {
  const { loaded, ...state } = useErasure(erasureId, onChanged);
  const { button: progress, focusLater } = useFocusLater<HTMLElement>();
  const { data } = loaded;
  return (
    <Dialog
      title={data ? `Erasure of ${kindPhrases[data.kind]}` : "Erasure"}
      size="lg"
      namesClose
      onClose={onClose}
      {...(data && { description: data.tenantName })}
    >
      <Loadable loaded={loaded} what="the erasure" skeleton={<RowSkeletons />}>
        {(erasure) => {
          const part = { erasure, ...state, moveFocus: focusLater };
          return (
            <Stack gap="6">
              <ErasureProgress {...part} place={progress} />
              <ErasureFacts erasure={erasure} />
              <ErasureCopy {...part} />
              <ErasedCounts erasure={erasure} />
              <ErasureCertificate erasure={erasure} />
              <ErasureActions {...part} />
            </Stack>
          );
        }}
      </Loadable>
    </Dialog>
  );
};

export default ErasureDialog;
