import type { Role } from "@vitaline/contract";
import type { Session } from "./session.ts";
import { pages } from "../routing/pages.ts";
import { homeOf, isRole } from "./areas.ts";

type Admission = { kind: "wait" } | { kind: "show" } | { kind: "redirect"; to: string; remember: boolean };

type AreaAccess = {
  /** Every signed-in user if undefined. */
  role: Role | undefined;
  redirectTo: string;
  afterLogout: string;
};

/** `remember`: the login page leads back to the requested address. */
export const admit = (session: Session, { role, redirectTo, afterLogout }: AreaAccess): Admission => {
  if (session.status === "checking") return { kind: "wait" };
  if (session.status === "signed-in" && (role === undefined || session.user.role === role)) return { kind: "show" };
  if (session.status === "signed-out" && session.reason === "left") return { kind: "redirect", to: afterLogout, remember: false };
  return { kind: "redirect", to: redirectTo, remember: true };
};

const someOrigin = "https://site.invalid";

/** The page to open after login: `from` if it is an address of this site that the role can open, else the role's home. */
export const destinationAfterLogin = (from: unknown, role: string): string => {
  const home = homeOf(role);
  if (typeof from !== "string" || !URL.canParse(from, someOrigin)) return home;
  const url = new URL(from, someOrigin);
  const allowed =
    url.origin === someOrigin &&
    from.startsWith("/") &&
    [...pages.account, ...(isRole(role) ? pages[role] : [])].some(
      ({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`),
    );
  return allowed ? `${url.pathname}${url.search}${url.hash}` : home;
};
