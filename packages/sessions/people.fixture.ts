import type { NewUser, SignedIn } from "@vitaline/contract";
import { keys, type AuditRow, type UserRow } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { createTenant } from "@vitaline/tenants";
import { createUser } from "@vitaline/users";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { checkSession, login, type SignedInContext } from "./index.ts";

export const password = "correct horse battery staple";

export type People = {
  aws: TestAws;
  tenantIds: [string, string];
  /** A caller `inSeconds` from now, or with the clock stopped at `atMs`. */
  caller(from?: { inSeconds?: number; atMs?: number; address?: string; userAgent?: string }): PlatformContext & { userAgent?: string };
  /** The context of a signed-in user, as the functions build it. */
  signedIn(token: string, from?: Parameters<People["caller"]>[0]): Promise<SignedInContext>;
  /** A new administrator of the platform, or of a tenant. */
  add(tenantId?: string, by?: PlatformContext): Promise<{ id: string; email: string }>;
  enter(
    email: string,
    more?: { password?: string; totpCode?: string; inSeconds?: number; atMs?: number; address?: string },
  ): Promise<SignedIn>;
  row(userId: string): Promise<UserRow>;
  /** Audit rows of the tenant, or of the platform, newest first. */
  audits(action: string, tenantId?: string): Promise<AuditRow[]>;
  /** The token in the newest mail to an address. */
  mailedToken(email: string): string;
  close(): Promise<void>;
};

export async function startPeople(): Promise<People> {
  const aws = await startTestAws();
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  const clinic = (name: string) => createTenant(aws.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" });
  const [one, two] = await Promise.all([clinic("One"), clinic("Two")]);
  let people = 0;
  const caller: People["caller"] = ({ inSeconds = 0, atMs, address = "203.0.113.7", userAgent } = {}) => {
    const clock = () => new Date((atMs ?? Date.now()) + inSeconds * 1000);
    const ctx = { ...aws.platform({ kind: "nobody", id: "anonymous" }), clientAddress: address, userAgent, clock };
    return { ...ctx, platform: platformStore(ctx) };
  };
  return {
    aws,
    tenantIds: [one.id, two.id],
    caller,
    async signedIn(token, from) {
      const ctx = caller(from);
      const session = await checkSession(ctx, token, true);
      return { ...ctx, actor: session.actor, platform: ctx.platform.as(session.actor), session };
    },
    async add(tenantId, by = aws.platform()) {
      const fields = { email: `person-${people++}@accounts.example`, password, firstName: "Ada", lastName: "Byron" };
      const input: NewUser = tenantId ? { ...fields, role: "tenant_admin", tenantId } : { ...fields, role: "system_admin" };
      return createUser(by, input);
    },
    enter: (email, { password: secret = password, totpCode, ...from } = {}) =>
      login(caller(from), { email, password: secret, ...(totpCode === undefined ? {} : { totpCode }) }),
    async row(userId) {
      const row = await aws.platform().platform.get(keys.user(userId));
      if (!row) throw new Error(`There is no user ${userId}`);
      return row;
    },
    async audits(action, tenantId) {
      const month = new Date().toISOString().slice(0, 7);
      const partition = tenantId
        ? keys.tenantPartitions.audit(tenantId, month, "configuration_change")
        : keys.partitions.platformAudit(month, "configuration_change");
      const { rows } = await aws.platform().platform.query<AuditRow>(partition, { descending: true });
      return rows.filter((row) => row.action === action);
    },
    mailedToken(email) {
      const mail = aws.aws.ses.mails().findLast(({ to }) => to.includes(email));
      const [, token] = /\/(?:reset-password|accept-invite)\/([\w-]+)/.exec(mail?.text ?? "") ?? [];
      if (!token) throw new Error(`${email} got no link`);
      return token;
    },
    close: () => aws.close(),
  };
}
