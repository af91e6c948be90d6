import { type Me, mayCall, type TenantRouteKey } from "@vitaline/contract";
import { useAuth } from "./auth.tsx";

/** Whether the signed-in user's access opens a route of their organization. The server decides; screens leave out what it would refuse. */
export const may = (user: Pick<Me, "role" | "access"> | null, route: TenantRouteKey): boolean =>
  user?.role === "tenant_admin" && mayCall(user.access, route);

export const useMay = (route: TenantRouteKey): boolean => may(useAuth().user, route);

export const accessNames = { administrator: "Administrator", staff: "Staff", auditor: "Auditor" } as const;
