import type { Pending } from "@vitaline/contract";
import { envReader } from "@vitaline/core";
import type { SessionRow, TenantRow, UserRow } from "@vitaline/store";
import * as z from "zod/mini";

const environment = envReader(z.object({ SYSTEM_ADMIN_TOTP: z.optional(z.string()) }));

const demanded = (user: UserRow, tenant: TenantRow | undefined, byPlatform: boolean): Pending | undefined => {
  if (user.mustChangePassword) return "password_change";
  const isBare = user.totp?.confirmedAt === undefined;
  return isBare && (byPlatform || tenant?.policies?.requireTotp === true) ? "totp_enrolment" : undefined;
};

/** What a person has to do before anything else, when a session opens: only there the platform's own demand is known. */
export const pendingAtStart = (user: UserRow, tenant: TenantRow | undefined): Pending | undefined =>
  demanded(user, tenant, user.role === "system_admin" && environment().SYSTEM_ADMIN_TOTP === "required");

/** The same on every request: done is done at once, and a tenant's new policy counts at once. */
export const pendingNow = ({ pending, viewAs }: SessionRow, user: UserRow, tenant: TenantRow | undefined): Pending | undefined =>
  viewAs ? undefined : demanded(user, tenant, pending === "totp_enrolment");
