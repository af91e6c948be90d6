import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { envReader } from "@vitaline/core";
import { clientsPerTenant } from "@vitaline/tenant-access";
import * as z from "zod/mini";
import { asUnavailable } from "../unavailable.ts";

// Set only for functions that store secrets.
const environment = envReader(z.object({ FHIR_SECRET_PREFIX: z.string(), TENANT_SECRET_PREFIX: z.string(), VAULT_KEY_ARN: z.string() }));

const clients = clientsPerTenant<SecretsManagerClient>(
  (session) => new SecretsManagerClient({ maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 }, ...session }),
);
/** A tenant's secret is read in the tenant's session. */
const clientFor = ({ arn }: Pick<PinnedSecret, "arn">, ownerTenantId: string | undefined): SecretsManagerClient =>
  clients(ownerTenantId !== undefined && arn.includes(`/tenants/${ownerTenantId}/`) ? ownerTenantId : undefined);
export const secrets = (): SecretsManagerClient => clients(undefined);

/** A secret with a pinned version, so that a row never uses a half-finished change. */
export type PinnedSecret = { arn: string; versionId: string };

/**
 * Creates a secret, or adds a version to it. `name` is relative to the stage's FHIR prefix, or to that of the tenant that owns the EHR's
 * connection. Pinned versions stay readable. AppError `unavailable`.
 */
export async function storeFhirSecret(name: string, value: string, ownerTenantId?: string): Promise<PinnedSecret> {
  const { FHIR_SECRET_PREFIX, TENANT_SECRET_PREFIX, VAULT_KEY_ARN } = environment();
  const Name = `${ownerTenantId === undefined ? FHIR_SECRET_PREFIX : `${TENANT_SECRET_PREFIX}${ownerTenantId}/fhir/`}${name}`;
  const { ARN, VersionId } = await secrets()
    .send(new CreateSecretCommand({ Name, SecretString: value, KmsKeyId: VAULT_KEY_ARN }))
    .catch((error: unknown) => {
      if (error instanceof ResourceExistsException)
        return secrets().send(new PutSecretValueCommand({ SecretId: Name, SecretString: value }));
      throw error;
    })
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  if (!ARN || !VersionId) throw new Error("Secrets Manager named no version");
  return { arn: ARN, versionId: VersionId };
}

/** Adds a version to an existing secret, without the permission to create one. AppError `unavailable`. */
export async function replaceFhirSecret(
  { arn }: Pick<PinnedSecret, "arn">,
  value: string,
  ownerTenantId: string | undefined,
): Promise<PinnedSecret> {
  const { VersionId } = await clientFor({ arn }, ownerTenantId)
    .send(new PutSecretValueCommand({ SecretId: arn, SecretString: value }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  if (!VersionId) throw new Error("Secrets Manager named no version");
  return { arn, versionId: VersionId };
}

/** AppError `unavailable`. */
export async function readFhirSecret({ arn, versionId }: PinnedSecret, ownerTenantId: string | undefined): Promise<string> {
  const { SecretString } = await clientFor({ arn }, ownerTenantId)
    .send(new GetSecretValueCommand({ SecretId: arn, VersionId: versionId }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  if (SecretString === undefined) throw new Error("Secrets Manager gave no text");
  return SecretString;
}

/** Deletes a secret with all its versions immediately; idempotent. AppError `unavailable`. */
export async function deleteFhirSecret({ arn }: Pick<PinnedSecret, "arn">): Promise<void> {
  await secrets()
    .send(new DeleteSecretCommand({ SecretId: arn, ForceDeleteWithoutRecovery: true }))
    .catch((error: unknown) => {
      if (!(error instanceof ResourceNotFoundException)) throw asUnavailable(error);
    });
}
