import { Button } from "@chakra-ui/react/button";
import Building2 from "lucide-react/dist/esm/icons/building-2.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useState } from "react";
import type { Tenant } from "@vitaline/contract";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Stack } from "@chakra-ui/react/stack";
import { LazyPanel } from "../../components/layout/lazy-panel.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { TenantList } from "./tenant-list.tsx";
import { type Opening, useTenantRoute } from "./tenant-route.ts";
import { useTenantList } from "./use-tenant-list.ts";

const TenantsTab = () => {
  const list = useTenantList();
  const { pages } = list;
  const { tenantId, open, close } = useTenantRoute();
  const [opening, setOpening] = useState<Opening>("view");
  const [isAdding, setIsAdding] = useState(false);
  const [invitesTo, setInvitesTo] = useState<string>();
  const openTenant = (id: string, how: Opening) => {
    setOpening(how);
    open(id);
  };
  return (
    <Stack gap="panels">
      <Panel
        title="Tenants"
        description="The healthcare organizations that use this platform, with their offices, keys and preferences."
        actions={
          <Button size="sm" aria-haspopup="dialog" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden />
            Add Tenant
          </Button>
        }
      >
        <Loadable loaded={pages} what="tenants" failed="Error loading tenants: Failed to fetch tenants" skeleton={<RowSkeletons />}>
          {(all) =>
            all.length === 0 && !pages.hasMore ? (
              <Empty
                icon={Building2}
                title="No tenants found. Create your first healthcare organization."
                description="Each organization gets its own API key, and its users sign in to their own dashboard."
              />
            ) : (
              <TenantList list={list} onOpen={({ id }, how) => openTenant(id, how)} />
            )
          }
        </Loadable>
        <TenantsDialogs
          {...{ isAdding, tenantId, opening, invitesTo }}
          onAdding={setIsAdding}
          onOpen={openTenant}
          onChanged={pages.replace}
          onClose={close}
          onInvite={setInvitesTo}
        />
      </Panel>
      <LazyPanel title="Activity and Health">
        <TenantActivityPanel tenants={pages.data ?? []} />
      </LazyPanel>
      <LazyPanel title="Platform Health">
        <PlatformHealthPanel />
      </LazyPanel>
    </Stack>
  );
};

const TenantActivityPanel = lazy(() => import("./activity-panel.tsx"));
const PlatformHealthPanel = lazy(() => import("../system-health/platform-health-panel.tsx"));

type Props = {
  isAdding: boolean;
  onAdding: (isAdding: boolean) => void;
  tenantId: string | undefined;
  opening: Opening;
  onOpen: (tenantId: string, opening: Opening) => void;
  onChanged: (tenant: Tenant) => void;
  onClose: () => void;
  /** The tenant whose administrator is being invited. */
  invitesTo: string | undefined;
  onInvite: (tenantId: string | undefined) => void;
};

const AddTenantDialog = lazy(() => import("./add-tenant-dialog.tsx"));
const TenantDialog = lazy(() => import("./tenant-dialog.tsx"));
const AddUserDialog = lazy(() => import("../users/add-user-dialog.tsx"));

const TenantsDialogs = ({ isAdding, onAdding, tenantId, opening, onOpen, onChanged, onClose, invitesTo, onInvite }: Props) => {
  const leadingOn = (act: (id: string) => void) => (id: string) => {
    onAdding(false);
    act(id);
  };
  return (
    <>
      <Suspense fallback={null}>
        {isAdding ? (
          <AddTenantDialog onOpen={leadingOn((id) => onOpen(id, "view"))} onInvite={leadingOn(onInvite)} onClose={() => onAdding(false)} />
        ) : null}
        {tenantId === undefined ? null : (
          <TenantDialog key={tenantId} {...{ tenantId, opening, onChanged, onClose }} onInvite={() => onInvite(tenantId)} />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {invitesTo === undefined ? null : <AddUserDialog tenantId={invitesTo} onClose={() => onInvite(undefined)} />}
      </Suspense>
    </>
  );
};

export default TenantsTab;
