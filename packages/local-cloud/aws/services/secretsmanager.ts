import { authorize, type Caller } from "../iam/authorize.ts";
import { AwsError, jsonAnswer } from "../http/respond.ts";
import { type KeyStore, viaService } from "../kms/index.ts";
import { readJson } from "../http/request.ts";
import { SECRETS_OPERATIONS, type SecretStore } from "../secrets/index.ts";
import type { Answer } from "../types.ts";

type Parts = { secrets: SecretStore; keys: KeyStore };

export async function serveSecrets(
  { secrets, keys }: Parts,
  { caller, operation, body }: { caller: Caller; operation: string; body: Buffer },
): Promise<Answer> {
  const run = SECRETS_OPERATIONS[operation];
  if (!run) throw new AwsError(400, "UnknownOperationException", `The operation ${operation} is not supported here`);
  const output = run({
    store: secrets,
    input: readJson(body),
    arnOf: (name) => `arn:aws:secretsmanager:${caller.region}:${caller.account}:secret:${name}`,
    authorize: (access) => authorize(caller, access),
    authorizeKey({ arn, kmsKeyArn }, action) {
      if (!kmsKeyArn) return;
      authorize(
        caller,
        viaService(keys, kmsKeyArn, { action, service: "secretsmanager", region: caller.region, context: { SecretARN: arn } }),
      );
    },
  });
  return jsonAnswer("secretsmanager", output);
}
