import { randomBytes, timingSafeEqual } from "node:crypto";
import { AwsError } from "../http/respond.ts";
import type { Principal, Role } from "../types.ts";

type Issued = { accessKeyId: string; principal: Principal & { secretAccessKey: string; session: NonNullable<Principal["session"]> } };

/** Sessions of assumed roles. They end with this process, as do the functions that hold their credentials. */
export function openSessions() {
  const sessions = new Map<string, Issued["principal"]>();
  return {
    issue(
      { arn: roleArn, statements }: Role,
      { name, tags, expiresAtMs }: { name: string; tags: Record<string, string>; expiresAtMs: number },
    ): Issued {
      const [, , , , account = "", resource = ""] = roleArn.split(":");
      const accessKeyId = `ASIA${randomBytes(8).toString("hex").toUpperCase()}`;
      const principal = {
        arn: `arn:aws:sts::${account}:assumed-role/${resource.split("/").at(-1)}/${name}`,
        statements,
        secretAccessKey: randomBytes(30).toString("base64url"),
        session: { roleArn, tags, token: randomBytes(120).toString("base64"), expiresAtMs },
      };
      sessions.set(accessKeyId, principal);
      return { accessKeyId, principal };
    },
    find: (accessKeyId: string): Principal | undefined => sessions.get(accessKeyId),
  };
}

export type Sessions = ReturnType<typeof openSessions>;

/** Throws for the wrong token of a session, or none, and for a session that has ended. */
export function checkSession({ session }: Principal, presented: string | undefined, service: string, nowMs = Date.now()): void {
  if (!session) return;
  const [expected, given] = [Buffer.from(session.token), Buffer.from(presented ?? "")];
  const isS3 = service === "s3";
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    throw new AwsError(
      isS3 ? 403 : 400,
      isS3 ? "InvalidToken" : "UnrecognizedClientException",
      "The security token included in the request is invalid.",
    );
  if (nowMs >= session.expiresAtMs)
    throw new AwsError(400, isS3 ? "ExpiredToken" : "ExpiredTokenException", "The security token included in the request is expired");
}
