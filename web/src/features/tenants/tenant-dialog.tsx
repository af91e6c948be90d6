import { Tabs } from "@chakra-ui/react/tabs";
import { dashboard, erasures, type Tenant, tenants } from "@vitaline/contract";
import { lazy, Suspense } from "react";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useDrafts } from "../../lib/forms/drafts.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { useErasureDialogs } from "../erasures/erasure-dialogs.tsx";
import { TenantParts } from "./tenant-parts.tsx";
import type { Opening } from "./tenant-table.tsx";
import { useTenantPlace } from "./use-tenant-place.ts";
import { useTenant } from "./use-tenant.ts";

const TenantOfficeDialog = lazy(() => import("./tenant-office-dialog.tsx"));

type Props = {
  tenantId: string;
  /** By which of its buttons. */ opening: Opening;
  onChanged: (tenant: Tenant) => void;
  onInvite: () => void;
  onClose: () => void;
};

/** An organization in four parts. Its office editor stands in front of it. */
const TenantDialog = ({ tenantId, opening, onChanged, onInvite, onClose }: Props) => {
  const refresh = useRefresh();
  const { part, officeId, show, open, openOffice, closeOffice } = useTenantPlace();
  const { loaded, replace, reread } = useTenant(tenantId);
  const { drafts, tell } = useDrafts();
  const tenant = loaded.data;
  const showErasures = () => void refresh(erasures.listErasures).catch(() => undefined);
  const erasing = useErasureDialogs({
    tenantId,
    onRequested: showErasures,
    onChanged: showErasures,
    onOpenTenant: (id) => id !== tenantId && open(id),
  });
  return (
    <>
      <Dialog title={tenant?.name ?? "Tenant Details"} size="lg" namesClose isDirty={drafts.length > 0} onClose={onClose}>
        <Loadable loaded={loaded} what="tenant details" skeleton={<RowSkeletons />}>
          {(found) => (
            <Tabs.Root value={part} onValueChange={({ value }) => show(value)} activationMode="manual" lazyMount>
              <TenantParts
                tenant={found}
                part={part}
                opening={opening}
                hasDrafts={drafts.length > 0}
                onSaved={(profile) => {
                  replace(profile);
                  onChanged(profile);
                  void refresh(dashboard.platformMetrics, tenants.tenantUsage).catch(() => undefined);
                }}
                onStale={reread}
                onDraft={tell}
                onInvite={onInvite}
                onOffice={openOffice}
                erasing={erasing}
              />
            </Tabs.Root>
          )}
        </Loadable>
      </Dialog>
      {tenant && officeId !== undefined ? (
        <Suspense fallback={null}>
          <TenantOfficeDialog key={officeId} tenant={tenant} officeId={officeId} onClose={closeOffice} />
        </Suspense>
      ) : null}
      {erasing.dialogs}
    </>
  );
};

export default TenantDialog;
