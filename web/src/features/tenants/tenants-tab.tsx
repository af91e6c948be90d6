import { Button } from "@chakra-ui/react/button";
import Building2 from "lucide-react/dist/esm/icons/building-2.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useState } from "react";
import { explain } from "../../api/api-error.ts";
import { Empty } from "../../components/empty.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { TenantList } from "./tenant-list.tsx";
import type { Opening } from "./tenant-table.tsx";
import { useTenantList } from "./use-tenant-list.ts";
import { useTenantPlace } from "./use-tenant-place.ts";

const AddTenantDialog = lazy(() => import("./add-tenant-dialog.tsx"));
const AddUserDialog = lazy(() => import("../users/add-user-dialog.tsx"));
const TenantDialog = lazy(() => import("./tenant-dialog.tsx"));

/** The healthcare organizations of this platform. */
const TenantsTab = () => {
  const list = useTenantList();
  const { pages } = list;
  const { tenantId, open, close } = useTenantPlace();
  const [how, setHow] = useState<Opening>("view");
  const [isAdding, setIsAdding] = useState(false);
  const [invitesTo, setInvitesTo] = useState<string>();
  const openTenant = (id: string, opening: Opening) => {
    setHow(opening);
    open(id);
  };
  return (
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
      <Loadable
        loaded={pages}
        what="tenants"
        failed={`Error loading tenants: Failed to fetch tenants. ${explain(pages.error)}`}
        skeleton={<RowSkeletons />}
      >
        {(all) =>
          all.length === 0 && !pages.hasMore ? (
            <Empty
              icon={Building2}
              title="No tenants found. Create your first healthcare organization."
              description="Each organization gets an API key of its own, and its people sign in to their own dashboard."
            />
          ) : (
            <TenantList list={list} onOpen={({ id }, opening) => openTenant(id, opening)} />
          )
        }
      </Loadable>
      <Suspense fallback={null}>
        {isAdding ? (
          <AddTenantDialog
            onOpen={(id) => {
              setIsAdding(false);
              openTenant(id, "view");
            }}
            onInvite={(id) => {
              setIsAdding(false);
              setInvitesTo(id);
            }}
            onClose={() => setIsAdding(false)}
          />
        ) : null}
        {tenantId === undefined ? null : (
          <TenantDialog
            key={tenantId}
            tenantId={tenantId}
            opening={how}
            onChanged={pages.replace}
            onInvite={() => setInvitesTo(tenantId)}
            onClose={close}
          />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {invitesTo === undefined ? null : <AddUserDialog tenantId={invitesTo} onClose={() => setInvitesTo(undefined)} />}
      </Suspense>
    </Panel>
  );
};

export default TenantsTab;
