import type { Erasure } from "@vitaline/contract";
import { lazy, Suspense, useState } from "react";

const RequestDialog = lazy(() => import("./request-dialog.tsx"));
const ErasureDialog = lazy(() => import("./erasure-dialog.tsx"));

type Options = {
  tenantId?: string;
  onRequested: () => void;
  onChanged: (erasure: Erasure) => void;
  onOpenTenant: (tenantId: string) => void;
};

/** The request form and the erasure dialog; the latter opens once the erasure was requested. */
export const useErasureDialogs = ({ tenantId, onRequested, onChanged, onOpenTenant }: Options) => {
  const [isAsking, setIsAsking] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const close = () => setIsAsking(false);
  const show = (erasure: Erasure) => {
    close();
    setOpenId(erasure.id);
    onRequested();
  };
  const lead = (id: string) => {
    close();
    onOpenTenant(id);
  };
  const dialogs = (
    <>
      <Suspense fallback={null}>
        {isAsking ? (
          <RequestDialog tenantId={tenantId ?? ""} onRequested={show} onUncertain={onRequested} onOpenTenant={lead} onClose={close} />
        ) : null}
      </Suspense>
      <Suspense fallback={null}>
        {openId === undefined ? null : (
          <ErasureDialog key={openId} erasureId={openId} onChanged={onChanged} onClose={() => setOpenId(undefined)} />
        )}
      </Suspense>
    </>
  );
  return { ask: () => setIsAsking(true), open: setOpenId, dialogs };
};
