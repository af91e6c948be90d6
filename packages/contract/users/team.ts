import * as z from "zod/mini";
import { Email, Id } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { ProofOfPassword } from "./accounts.ts";
import { User, UserAccess } from "./user.ts";
import { PersonName, UserPageQuery } from "./users.ts";

export const NewColleague = z.strictObject({ email: Email, firstName: PersonName, lastName: PersonName, access: UserAccess });
export type NewColleague = z.infer<typeof NewColleague>;

/** Absent keeps the value. `isActive` false removes the colleague; what they did stays in the audit log under their name. */
export const ColleagueChanges = z.strictObject({
  firstName: z.optional(PersonName),
  lastName: z.optional(PersonName),
  access: z.optional(UserAccess),
  isActive: z.optional(z.boolean()),
});
export type ColleagueChanges = z.infer<typeof ColleagueChanges>;

const params = z.object({ userId: Id });

/** The users of the caller's own organization. */
export const team = routes({
  listTeam: {
    method: "GET",
    path: "/api/tenant/team",
    auth: "tenant_admin",
    summary: "The organization's users, oldest first, 200 a page",
    query: UserPageQuery,
    response: z.array(User),
  },
  inviteColleague: {
    method: "POST",
    path: "/api/tenant/team",
    auth: "tenant_admin",
    summary: "Invite a colleague by mail, with the access that they will have",
    status: 201,
    body: NewColleague,
    response: User,
  },
  changeColleague: {
    method: "PUT",
    path: "/api/tenant/team/{userId}",
    auth: "tenant_admin",
    summary: "Change a colleague's name or access, remove or restore them; a new access or a removal ends their sessions",
    params,
    body: ColleagueChanges,
    response: User,
  },
  resendColleagueInvite: {
    method: "POST",
    path: "/api/tenant/team/{userId}/resend-invite",
    auth: "tenant_admin",
    summary: "Mail a colleague a new invitation; the previous one stops working",
    params,
    response: User,
  },
  unlockColleague: {
    method: "POST",
    path: "/api/tenant/team/{userId}/unlock",
    auth: "tenant_admin",
    summary: "Clear a colleague's failed sign-ins",
    params,
    response: User,
  },
  resetColleagueTotp: {
    method: "POST",
    path: "/api/tenant/team/{userId}/reset-totp",
    auth: "tenant_admin",
    summary: "Turn off a colleague's second factor and mail them a link to choose a new password; their sessions end",
    params,
    body: ProofOfPassword,
    response: User,
  },
});
