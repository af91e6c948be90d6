import { createPrivateKey } from "node:crypto";
import { readFhirSecret } from "@vitaline/aws";
import { digest } from "@vitaline/core";
import { type ClientRegistration, type Signers, signWithKey } from "@vitaline/fhir";
import { signWithPlatformKey } from "@vitaline/platform-keys";
import type { FhirProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { clientAuthOf } from "./credentials.ts";

/**
 * Our OAuth client at a provider, with the credentials that `clientAuth` selects. The platform's key never signs for a provider that a
 * tenant owns: the tenant chooses its addresses and could collect tokens of other tenants' registrations there.
 */
export function clientRegistration(ctx: PlatformContext, row: FhirProviderRow): ClientRegistration {
  const { baseUrl, clientId, scopes, tokenUrl, clientSecret, privateKey } = row;
  const auth = clientAuthOf(row);
  const signers = (): Signers => {
    if (auth === "own_key" && privateKey) return ownKeySigners(privateKey);
    if (auth !== "platform_key" || row.ownerTenantId !== undefined) return {};
    return { sign: (...asked) => signWithPlatformKey(ctx, ...asked) };
  };
  return {
    ...{ baseUrl, clientId, scopes, tokenUrl },
    clientSecret: auth === "client_secret" && clientSecret ? () => readFhirSecret(clientSecret) : undefined,
    ...signers(),
  };
}

function ownKeySigners(pinned: NonNullable<FhirProviderRow["privateKey"]>): Signers {
  const key = async () => createPrivateKey(await readFhirSecret(pinned));
  return pinned.type === "EC"
    ? { signEc: async (...asked) => signWithKey(await key(), ...asked) }
    : { sign: async (...asked) => signWithKey(await key(), ...asked) };
}

/** Identifies a connection; changes with its address, client, scopes, grant or credentials. */
export const connectionDigest = (row: FhirProviderRow): string =>
  digest(
    "fhir-connection",
    ...[row.id, row.baseUrl, row.fhirVersion, row.clientId, row.scopes, row.tokenUrl ?? "", clientAuthOf(row), grantOf(row)],
    ...[row.clientSecret?.versionId ?? "", row.privateKey?.versionId ?? "", row.certificateData ?? ""],
  );

export const grantOf = ({ grant = "client_credentials" }: Pick<FhirProviderRow, "grant">) => grant;

/** Identifies what a user's consent covers: the server, the client and its scopes, but not the credentials. */
export const consentDigest = ({ id, baseUrl, tokenUrl = "", authUrl = "", clientId, scopes }: FhirProviderRow): string =>
  digest("fhir-consent", id, baseUrl, tokenUrl, authUrl, clientId, scopes);

/** Whether a user has authorized this very connection. */
export const isAuthorized = (row: FhirProviderRow): boolean =>
  grantOf(row) === "authorization_code" && row.authorizedFor === consentDigest(row);
