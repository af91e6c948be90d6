import { randomBytes } from "node:crypto";
import type { Principal, Statement } from "./aws/index.ts";
import type { FunctionSpec } from "./template/functions.ts";

/** Who may do everything on this machine: the supervisor, the admin command and tests. */
export type Operator = { accessKeyId: string; secretAccessKey: string };

export const newOperator = (): Operator => ({
  accessKeyId: `AKIA${randomBytes(8).toString("hex").toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString("base64url"),
});

/** Everyone who signs requests here, by access key id: the operator, and each function with the rights of its own role. */
export function principalsOf(
  functions: FunctionSpec[],
  roles: Map<string, Statement[]>,
  account: string,
  operator: Operator,
): Map<string, Principal> {
  return new Map<string, Principal>([
    [operator.accessKeyId, { arn: `arn:aws:iam::${account}:user/operator`, statements: "all", secretAccessKey: operator.secretAccessKey }],
    ...functions.map(({ accessKeyId, secretAccessKey, roleArn }): [string, Principal] => [
      accessKeyId,
      { arn: roleArn, statements: roles.get(roleArn) ?? [], secretAccessKey },
    ]),
  ]);
}
