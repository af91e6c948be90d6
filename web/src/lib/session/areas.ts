type Area = { home: string; paths: readonly string[]; login: string; afterLogout: string };

/** Where each role works, signs in and lands after signing out. */
export const areas = {
  tenant_admin: { home: "/tenant", paths: ["/tenant", "/tenant-dashboard"], login: "/login", afterLogout: "/login" },
  system_admin: { home: "/admin", paths: ["/admin", "/admin-dashboard"], login: "/admin-login", afterLogout: "/admin/login" },
} as const satisfies Record<string, Area>;

export const roleNames = { system_admin: "System Admin", tenant_admin: "Tenant Admin" };

/** What is everybody's who is signed in. */
export const accountPath = "/account";

const areaOf = (role: string): Area | undefined => (Object.hasOwn(areas, role) ? areas[role as keyof typeof areas] : undefined);

/** A role's own area; the landing page for a role that this site does not know. */
export const homeOf = (role: string): string => areaOf(role)?.home ?? "/";

const someOrigin = "https://site.invalid";

/** Where to go after signing in: the address that was asked for, if it is on this site and in the role's area, else the role's home. */
export const destinationAfterLogin = (from: unknown, role: string): string => {
  const home = homeOf(role);
  if (typeof from !== "string" || !URL.canParse(from, someOrigin)) return home;
  const url = new URL(from, someOrigin);
  const allowed =
    url.origin === someOrigin &&
    from.startsWith("/") &&
    [accountPath, ...(areaOf(role)?.paths ?? [])].some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`));
  return allowed ? `${url.pathname}${url.search}${url.hash}` : home;
};
