import type { CallView, Role, UserAccess } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { partitions, tenantPartitions } from "./partitions.ts";
import { entityIn, tenantEntity, keyInScope, type CountRow } from "./entity.ts";

const accountEntity = entityIn("accounts");

export type UserRow = {
  id: string;
  email: string;
  /** Absent until the invitation is accepted. */
  passwordHash?: string;
  /** Another person chose the password: the user may only change it. */
  mustChangePassword?: boolean;
  /** When the pending invitation was mailed. */
  invitedAt?: string;
  /** Sealed TOTP secret and hashes of unused recovery codes. Without `confirmedAt` enrolment is not complete. */
  totp?: { sealed: string; confirmedAt?: string; recovery: string[] };
  role: Role;
  /** Of a tenant administrator whose rights are narrowed; absent: an administrator. */
  access?: Exclude<UserAccess, "administrator">;
  firstName: string;
  lastName: string;
  tenantId?: string;
  isActive: boolean;
  /** Incremented to end all of the user's sessions at once. */
  epoch: number;
  createdAt: string;
  version?: number;
};
export const user = accountEntity<UserRow, [userId: string]>({
  entity: "user",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (userId) => ({ pk: partitions.user(userId), sk: "USER" }),
});

export type EmailRow = { userId: string; tenantId?: string };
export const email = accountEntity<EmailRow, [address: string]>({
  entity: "email",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (address) => ({ pk: partitions.email(sha256In("email", address)), sk: "EMAIL" }),
});

/** A user as lists show it, without secrets. */
export type UserDirectoryRow = Omit<UserRow, "passwordHash" | "totp" | "epoch"> & {
  lastLogin?: string;
  /** The network of the last sign-in, from `networkOf`. */
  lastNetwork?: string;
  hasTotp?: boolean;
  /** The time step of the last accepted TOTP code; stored here because a sign-in writes this row anyway. */
  totpStep?: number;
};
export const userDirectory = accountEntity<UserDirectoryRow, [userId: string]>({
  entity: "userDirectory",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (userId) => ({ pk: partitions.userDirectory, sk: userId }),
});
export const tenantUser = tenantEntity<UserDirectoryRow, [userId: string]>({
  entity: "tenantUser",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, userId) => ({ pk: tenantPartitions.users(tenantId), sk: userId }),
});
/** For transactions over two tenants. */
export const userInTenant = (tenantId: string, userId: string) => keyInScope("accounts", tenantUser(userId), tenantId);

/** A user's saved filters for the list of calls. */
export type CallViewsRow = { views: CallView[]; version: number };
export const callViews = tenantEntity<CallViewsRow, [userId: string]>({
  entity: "callViews",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, userId) => ({ pk: tenantPartitions.config(tenantId), sk: `CALLVIEWS#${userId}` }),
});

/** The number of active system administrators, so that the last one cannot be removed. Counted from the directory at first use. */
export type ActiveAdminsRow = { count: number };
export const activeAdmins = accountEntity<ActiveAdminsRow, []>({
  entity: "activeAdmins",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: () => ({ pk: partitions.userDirectory, sk: "~ADMINS" }),
});

export const lockNoticePrefix = "~LOCKED#";
/** A user who cannot sign in until `until`. */
export type LockNoticeRow = { id: string; until: string; expiresAt: number };
export const lockNotice = accountEntity<LockNoticeRow, [userId: string]>({
  entity: "lockNotice",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (userId) => ({ pk: partitions.userDirectory, sk: `${lockNoticePrefix}${userId}` }),
});

/** A mailed link by the hash of its secret; valid once. */
export type MailedTokenRow = { kind: "invite" | "reset"; userId: string; tenantId?: string; userEpoch: number; expiresAt: number };
export const mailedToken = accountEntity<MailedTokenRow, [sha256: string]>({
  entity: "mailedToken",
  writeKind: "audited",
  lifetime: "expires",
  primaryKey: (sha256) => ({ pk: partitions.mailedToken(sha256), sk: "TOKEN" }),
});

export type SessionRow = {
  id: string;
  userId: string;
  tenantId?: string;
  userEpoch: number;
  tenantEpoch: number;
  startedAt: string;
  lastSeen: string;
  clientAddress?: string;
  userAgent?: string;
  /** A system administrator views a tenant: read-only until `until`, or until the session `openedIn` ends. */
  viewAs?: { tenantId: string; until: string; openedIn?: string };
  /** Required before anything else is allowed. */
  pending?: "password_change" | "totp_enrolment";
  endedAt?: string;
  expiresAt: number;
};
export const session = accountEntity<SessionRow, [userId: string, sid: string]>({
  entity: "session",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (userId, sid) => ({ pk: partitions.sessions(userId), sk: sid }),
});

/** Failed sign-ins and similar attempts in a window of time. */
export const throttle = entityIn("throttle")<CountRow, [kind: string, subject: string, window: string]>({
  entity: "throttle",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (kind, subject, window) => ({ pk: partitions.throttle(kind, sha256In("throttle", subject)), sk: window }),
});
