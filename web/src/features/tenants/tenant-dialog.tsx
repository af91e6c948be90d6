import { Tabs } from "@chakra-ui/react/tabs";
import { dashboard, erasures, type Tenant, tenants } from "@vitaline/contract";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useDrafts } from "../../lib/forms/drafts.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { useErasureDialogs } from "../erasures/erasure-dialogs.tsx";
import { type Opening, type TenantPart, tenantParts, useTenantRoute } from "./tenant-route.ts";
import { type TenantFormProps, useTenant } from "./use-tenant.ts";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { tabStrip, useOpenTab } from "../../components/layout/tabs.tsx";
import { Waiting } from "../../components/feedback/waiting.tsx";
import type { ErasureHandlers } from "../erasures/tenant-erasures.tsx";
import { DetailsPart } from "./details/details-part.tsx";

type Props = {
  tenantId: string;
  /** The pressed button. */
  opening: Opening;
  onChanged: (tenant: Tenant) => void;
  onInvite: () => void;
  onClose: () => void;
};

const TenantOfficeDialog = lazy(() => import("./offices/tenant-office-dialog.tsx"));

const TenantDialog = ({ tenantId, opening, onChanged, onInvite, onClose }: Props) => {
  const refresh = useRefresh();
  const { part, officeId, show, open, openOffice, closeOffice } = useTenantRoute();
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

type TenantPartsProps = TenantFormProps & {
  part: TenantPart;
  opening: Opening;
  /** A form has unsaved input. */
  hasDrafts: boolean;
  onInvite: () => void;
  onOffice: (officeId: string) => void;
  erasing: ErasureHandlers;
};

const OfficesPart = lazy(() => import("./offices/offices-part.tsx"));
const SecurityPart = lazy(() => import("./security/security-part.tsx"));
const PreferencesPart = lazy(() => import("./preferences/preferences-part.tsx"));

const TenantParts = ({ part, opening, hasDrafts, onInvite, onOffice, erasing, ...saving }: TenantPartsProps) => {
  const tabs = useOpenTab(part);
  const edit = useFocusLater();
  const [first] = useState({ part, opening });
  useEffect(() => {
    const focus = () => {
      if (first.opening === "edit" && first.part === "details") edit.button.current?.focus();
      else tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    };
    // Runs after the dialog has focused its first button.
    queueMicrotask(focus);
  }, [first, edit.button, tabs]);
  const contents: Record<TenantPart, ReactNode> = {
    details: <DetailsPart {...saving} {...{ edit, hasDrafts, onInvite, erasing }} />,
    offices: <OfficesPart tenantId={saving.tenant.id} onOpen={onOffice} />,
    api: <SecurityPart {...saving} isShown={part === "api"} />,
    preferences: <PreferencesPart {...saving} />,
  };
  return (
    <>
      <Tabs.List ref={tabs} aria-label="Parts of the tenant" {...tabStrip}>
        {tenantParts.map(({ value, label }) => (
          <Tabs.Trigger key={value} value={value} flexShrink="0">
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tenantParts.map(({ value, label }) => (
        <Tabs.Content key={value} value={value}>
          <Suspense fallback={<Waiting text={`Loading ${label}...`} />}>{contents[value]}</Suspense>
        </Tabs.Content>
      ))}
    </>
  );
};

export default TenantDialog;
