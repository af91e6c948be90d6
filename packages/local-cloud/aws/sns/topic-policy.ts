import { evaluate } from "../iam/authorize.ts";
import type { AccessRequest, Statement } from "../types.ts";

/** A statement of a resource's policy, such as a topic's or a key's. */
export type ResourceStatement = Statement & { Principal?: "*" | { Service?: string | string[]; AWS?: string | string[] } };

/**
 * Whether a resource's policy lets an AWS service use it; a service has no policy of its own. Source: "Policy evaluation logic" in the IAM
 * User Guide.
 */
export function serviceMay(statements: readonly ResourceStatement[], service: string, access: AccessRequest): boolean {
  const concerning = statements.filter(({ Principal }) => {
    if (Principal === "*" || [Principal?.AWS].flat().includes("*")) return true;
    return [Principal?.Service].flat().includes(service);
  });
  return evaluate({ arn: service, statements: concerning }, access) === "allowed";
}
