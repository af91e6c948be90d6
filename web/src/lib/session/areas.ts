import type { Role } from "@vitaline/contract";

type Area = { home: string; login: string; afterLogout: string };

/** The addresses of each role: its home, its login page, and the login page after signing out. */
export const areas: Readonly<Record<Role, Area>> = {
  tenant_admin: { home: "/tenant", login: "/login", afterLogout: "/login" },
  system_admin: { home: "/admin", login: "/admin-login", afterLogout: "/admin/login" },
};

export const roleNames = { system_admin: "System Admin", tenant_admin: "Tenant Admin" };

export const accountPath = "/account";

export const isRole = (role: string): role is Role => Object.hasOwn(areas, role);

/** The home of a role; the landing page for a role unknown to this site. */
export const homeOf = (role: string): string => (isRole(role) ? areas[role].home : "/");
