import { authorize, type Caller } from "../iam/authorize.ts";
import { AwsError, jsonAnswer } from "../http/respond.ts";
import { type KeyStore, KMS_OPERATIONS } from "../kms/index.ts";
import { readJson } from "../http/request.ts";
import type { Answer } from "../types.ts";

export async function serveKms(
  store: KeyStore,
  { caller, operation, body }: { caller: Caller; operation: string; body: Buffer },
): Promise<Answer> {
  const run = KMS_OPERATIONS[operation];
  if (!run) throw new AwsError(400, "UnknownOperationException", `The operation ${operation} is not supported here`);
  return jsonAnswer("kms", await run({ store, input: readJson(body), authorize: (access) => authorize(caller, access) }));
}
