import type { Tenant } from "@vitaline/contract";
import { lazy, Suspense } from "react";
import type { Opening } from "./tenant-table.tsx";

const AddTenantDialog = lazy(() => import("./add-tenant-dialog.tsx"));
const AddUserDialog = lazy(() => import("../users/add-user-dialog.tsx"));
const TenantDialog = lazy(() => import("./tenant-dialog.tsx"));

type Props = {
  /** A new one is being added. */ isAdding: boolean;
  onAdding: (isAdding: boolean) => void;
  /** The one that is open, and by which of its buttons. */ tenantId: string | undefined;
  opening: Opening;
  onOpen: (tenantId: string, opening: Opening) => void;
  onChanged: (tenant: Tenant) => void;
  onClose: () => void;
  /** The one whose administrator is being invited, in front of the rest. */ invitesTo: string | undefined;
  onInvite: (tenantId: string | undefined) => void;
};

/** What opens in front of the list of organizations. */
export const TenantsDialogs = ({ isAdding, onAdding, tenantId, opening, onOpen, onChanged, onClose, invitesTo, onInvite }: Props) => {
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
