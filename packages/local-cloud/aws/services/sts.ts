import { authorize, type Caller, isTrustedBy } from "../iam/authorize.ts";
import { AwsError } from "../http/respond.ts";
import { xml } from "../s3/xml.ts";
import type { Sessions } from "../sts/sessions.ts";
import type { Answer, AwsOptions, ConditionContext } from "../types.ts";

type Parts = { sessions: Sessions; options: Pick<AwsOptions, "roles"> };
type StsRequest = { caller: Caller; operation: string; body: Buffer };

/** The parameters of AssumeRole that are supported; any other is refused. */
const supported = /^(Action|Version|RoleArn|RoleSessionName|DurationSeconds|Tags(\.member\.\d+\.(Key|Value))?)$/;

export async function serveSts(parts: Parts, request: StsRequest): Promise<Answer> {
  if (request.operation === "GetCallerIdentity") return callerIdentity(request.caller);
  if (request.operation === "AssumeRole") return assumeRole(parts, request);
  throw new AwsError(400, "InvalidAction", `Could not find operation ${request.operation} for version 2011-06-15`);
}

const answer = (root: string, content: Parameters<typeof xml>[1]): Answer => ({
  headers: { "content-type": "text/xml" },
  body: xml(root, content),
});

/** Every caller may ask who it is. Source: "GetCallerIdentity" in the STS API reference. */
function callerIdentity({ principal: { arn }, account }: Caller): Answer {
  return answer("GetCallerIdentityResponse", { GetCallerIdentityResult: { Arn: arn, UserId: arn.split("/").at(-1), Account: account } });
}

/**
 * AssumeRole with session tags. Stricter than AWS in one point: within an account a trust policy that names the caller suffices there, here
 * the caller's own policy must allow it as well. Source: "AssumeRole" in the STS API reference, "Pass session tags in AWS STS" in the IAM
 * User Guide.
 */
async function assumeRole({ sessions, options }: Parts, { caller, body }: StsRequest): Promise<Answer> {
  const input = new URLSearchParams(body.toString());
  const unknown = [...input.keys()].find((name) => !supported.test(name));
  if (unknown !== undefined) throw invalid(`The parameter ${unknown} is not supported here`);
  const roleArn = input.get("RoleArn") ?? "";
  const name = input.get("RoleSessionName") ?? "";
  if (!/^[\w+=,.@-]{2,64}$/.test(name)) throw invalid("RoleSessionName must have 2 to 64 letters, digits and =,.@-");
  const tags = tagsIn(input);
  const seconds = Number(input.get("DurationSeconds") ?? 3600);
  // A role that assumes a role gets an hour at most.
  if (!Number.isInteger(seconds) || seconds < 900 || seconds > 3600) throw invalid("DurationSeconds must be 900 to 3600 for role chaining");
  const role = options.roles?.(roleArn);
  const context: ConditionContext = {
    ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
    ...(Object.keys(tags).length > 0 ? { "aws:TagKeys": Object.keys(tags) } : {}),
  };
  for (const action of ["sts:AssumeRole", ...(Object.keys(tags).length > 0 ? ["sts:TagSession"] : [])]) {
    const access = {
      action,
      resource: roleArn,
      context: action === "sts:AssumeRole" ? { ...context, "sts:RoleSessionName": name } : context,
    };
    authorize(caller, access, "AccessDenied", 403);
    if (!role || !isTrustedBy(role.trust, caller, access))
      throw new AwsError(
        403,
        "AccessDenied",
        `User: ${caller.principal.arn} is not authorized to perform: ${action} on resource: ${roleArn}`,
      );
  }
  if (!role) throw new AwsError(403, "AccessDenied", `There is no role ${roleArn}`);
  const expiresAtMs = Date.now() + seconds * 1000;
  const { accessKeyId, principal } = sessions.issue(role, { name, tags, expiresAtMs });
  return answer("AssumeRoleResponse", {
    AssumeRoleResult: {
      Credentials: {
        AccessKeyId: accessKeyId,
        SecretAccessKey: principal.secretAccessKey,
        SessionToken: principal.session.token,
        Expiration: new Date(expiresAtMs).toISOString(),
      },
      AssumedRoleUser: { AssumedRoleId: `AROA0000000000000000:${name}`, Arn: principal.arn },
    },
  });
}

function tagsIn(input: URLSearchParams): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let at = 1; input.has(`Tags.member.${at}.Key`); at++) {
    const [key, value] = [input.get(`Tags.member.${at}.Key`) ?? "", input.get(`Tags.member.${at}.Value`) ?? ""];
    // Source: "Tag" in the STS API reference
    if (!/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u.test(key) || !/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u.test(value))
      throw invalid("A tag has a character that tags may not have");
    if (key in tags) throw invalid("Duplicate tag keys found");
    tags[key] = value;
  }
  return tags;
}

const invalid = (message: string): AwsError => new AwsError(400, "ValidationError", message);
