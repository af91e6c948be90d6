import type { Role } from "@vitaline/contract";
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { Waiting } from "../components/waiting.tsx";
import { areas } from "./areas.ts";
import { useAuth } from "./auth.tsx";
import { admit } from "./session.ts";

type Props = {
  /** Anybody signed in when absent. */ forRole: Role | undefined;
  /** Where others are sent. */ redirectTo?: string;
  children: ReactNode;
};

/** Shows its children to one role only, or to whoever is signed in. Whoever is sent to sign in comes back to the address asked for. */
export const Guard = ({ forRole, redirectTo = "/admin/login", children }: Props) => {
  const { session } = useAuth();
  const { pathname, search, hash } = useLocation();
  const admission = admit(session, { role: forRole, redirectTo, afterLogout: areas[forRole ?? "tenant_admin"].afterLogout });

  if (admission.kind === "wait") return <Waiting text="Checking your session..." />;
  if (admission.kind === "show") return children;
  return <Navigate to={admission.to} replace state={admission.remember ? { from: `${pathname}${search}${hash}` } : null} />;
};
