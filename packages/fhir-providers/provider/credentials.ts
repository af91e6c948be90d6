import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFhirSecret, storeFhirSecret } from "@vitaline/aws";
import type { NewFhirProvider } from "@vitaline/contract";
import { AppError, sha256In } from "@vitaline/core";
import { type ClientRegistration, keyAlgorithms, type Signers, signWithKey } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";
import { signWithPlatformKey } from "@vitaline/platform-keys";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import type { Addresses } from "./addresses.ts";

type ClientAuth = NonNullable<FhirProviderRow["clientAuth"]>;
type CredentialsInput = Pick<NewFhirProvider, "clientAuth" | "clientSecret" | "privateKey" | "certificateData"> & {
  removeClientSecret?: boolean | undefined;
  removePrivateKey?: boolean | undefined;
};
type Credentials = Pick<FhirProviderRow, "clientAuth" | "clientSecret" | "privateKey" | "certificateData">;

export const clientAuthOf = ({ clientAuth, clientSecret }: Credentials): ClientAuth =>
  clientAuth ?? (clientSecret ? "client_secret" : "platform_key");

/** True unless the provider uses its own key and that does not match its certificate. */
export async function keyMatchesCertificate(row: Credentials & Pick<FhirProviderRow, "ownerTenantId">): Promise<boolean> {
  const { certificateData, privateKey, ownerTenantId } = row;
  if (clientAuthOf(row) !== "own_key" || certificateData === undefined || privateKey === undefined) return true;
  return new X509Certificate(certificateData).checkPrivateKey(createPrivateKey(await readFhirSecret(privateKey, ownerTenantId)));
}

/**
 * The credentials after a create or change; stores new secrets. Without `clientAuth` it follows from the input: a secret means
 * client_secret, a private key own_key, neither keeps the current one (a new provider: platform_key). An empty secret on creation counts as
 * missing. A provider that a tenant owns never uses the platform's key. AppError `invalid_request` names the field.
 */
export async function storeCredentials(
  id: string,
  input: CredentialsInput,
  ownerTenantId?: string,
  current?: Credentials,
): Promise<Credentials> {
  const { certificateData } = input;
  const currentSecret = input.removeClientSecret ? undefined : current?.clientSecret;
  const currentKey = input.removePrivateKey ? undefined : current?.privateKey;
  const hasSecret = Boolean(input.clientSecret) || currentSecret !== undefined;
  const hasKey = input.privateKey !== undefined || currentKey !== undefined;

  const clientAuth = input.clientAuth ?? chooseClientAuth(input, current && clientAuthOf(current), hasSecret, hasKey);
  const needsSecret = clientAuth === "client_secret" || (!current && input.clientAuth === undefined && input.clientSecret === "");
  if (needsSecret && !hasSecret) throw fieldError("clientSecret", "Client Secret is required");
  if (clientAuth === "platform_key" && ownerTenantId !== undefined)
    throw fieldError("clientAuth", "A provider of your own needs a client secret or a private key");
  if (clientAuth === "own_key" && !hasKey) throw fieldError("privateKey", "Private key is required");

  const certificate = certificateData === undefined ? undefined : readCertificate(certificateData);
  const key = input.privateKey === undefined ? undefined : parsePrivateKey(input.privateKey);
  const certificateIsNew = certificateData !== current?.certificateData;
  const keyToMatch =
    key ?? (certificateIsNew && certificate && currentKey ? createPrivateKey(await readFhirSecret(currentKey, ownerTenantId)) : undefined);
  if (certificate && keyToMatch && !certificate.checkPrivateKey(keyToMatch))
    throw fieldError(key ? "privateKey" : "certificateData", key ? "Does not match the certificate" : "Does not match the private key");

  return {
    clientAuth,
    certificateData,
    clientSecret: input.clientSecret ? await storeFhirSecret(`${id}/client-secret`, input.clientSecret, ownerTenantId) : currentSecret,
    privateKey: input.privateKey && key ? await storePrivateKey(id, input.privateKey, key, ownerTenantId) : currentKey,
  };
}

function chooseClientAuth(
  { clientSecret, privateKey }: CredentialsInput,
  current: ClientAuth | undefined,
  hasSecret: boolean,
  hasKey: boolean,
): ClientAuth {
  if (clientSecret || (current === "client_secret" && hasSecret)) return "client_secret";
  return privateKey !== undefined || (current === "own_key" && hasKey) ? "own_key" : "platform_key";
}

function readCertificate(pem: string): X509Certificate {
  try {
    const certificate = pem.startsWith("-----BEGIN CERTIFICATE-----") ? new X509Certificate(pem) : undefined;
    if (certificate && !Number.isNaN(Date.parse(certificate.validTo))) return certificate;
  } catch {
    // Refused below, like text that is not PEM.
  }
  throw fieldError("certificateData", "Must be an X.509 certificate in PEM form");
}

async function storePrivateKey(
  id: string,
  pem: string,
  { asymmetricKeyType }: KeyObject,
  ownerTenantId: string | undefined,
): Promise<FhirProviderRow["privateKey"]> {
  const pinned = await storeFhirSecret(`${id}/private-key`, pem, ownerTenantId);
  return asymmetricKeyType === "ec" ? { ...pinned, type: "EC" } : pinned;
}

/** A stored secret, even an unused one, is not sent to a new origin without being entered again. AppError `invalid_request`. */
export function requireSecretAgain(input: CredentialsInput, current: Credentials, originChanges: boolean): void {
  if (originChanges && current.clientSecret && !input.clientSecret && !input.removeClientSecret)
    throw fieldError("clientSecret", "The address has changed, so please enter the client secret again.");
}

/**
 * When the FHIR origin changes, a token URL on another origin must be entered again or removed: a client that signs would otherwise get the
 * old server's tokens for the new server. AppError `invalid_request`.
 */
export function requireTokenUrlAgain(before: FhirProviderRow, after: Addresses & Credentials): void {
  const originChanged = new URL(before.baseUrl).origin !== new URL(after.baseUrl).origin;
  if (!originChanged || clientAuthOf(after) === "client_secret" || after.tokenUrl === undefined || after.tokenUrl !== before.tokenUrl)
    return;
  if (new URL(after.tokenUrl).origin === new URL(after.baseUrl).origin) return;
  throw fieldError("tokenUrl", "The server has changed, so please enter its Token URL, or leave it empty to let the server name it.");
}

/** An encrypted key is refused: its passphrase would have to be stored beside it. */
function parsePrivateKey(pem: string): KeyObject {
  const key = parseKey(pem);
  if (keyAlgorithms(key).length === 0) throw fieldError("privateKey", "Must be an RSA key of at least 2048 bits, or an EC key on P-384");
  return key;
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw fieldError("privateKey", "Must be an unencrypted private key in PEM form");
  }
}

const fieldError = (field: string, sentence: string): AppError =>
  new AppError("invalid_request", sentence, { fields: { [field]: sentence } });

/**
 * Our OAuth client at a provider, with the credentials that `clientAuth` selects. The platform's key never signs for a provider that a
 * tenant owns: the tenant chooses its addresses and could collect tokens of other tenants' registrations there.
 */
export function clientRegistration(ctx: EhrRegistryContext, row: FhirProviderRow): ClientRegistration {
  const { baseUrl, clientId, scopes, tokenUrl, clientSecret, privateKey, ownerTenantId } = row;
  const auth = clientAuthOf(row);
  const signers = (): Signers => {
    if (auth === "own_key" && privateKey) return ownKeySigners(privateKey, ownerTenantId);
    if (auth !== "platform_key" || ownerTenantId !== undefined) return {};
    return { sign: (...asked) => signWithPlatformKey(ctx, ...asked) };
  };
  return {
    ...{ baseUrl, clientId, scopes, tokenUrl },
    clientSecret: auth === "client_secret" && clientSecret ? () => readFhirSecret(clientSecret, ownerTenantId) : undefined,
    ...signers(),
  };
}

function ownKeySigners(pinned: NonNullable<FhirProviderRow["privateKey"]>, ownerTenantId: string | undefined): Signers {
  const key = async () => createPrivateKey(await readFhirSecret(pinned, ownerTenantId));
  return pinned.type === "EC"
    ? { signEc: async (...asked) => signWithKey(await key(), ...asked) }
    : { sign: async (...asked) => signWithKey(await key(), ...asked) };
}

/** Identifies a connection; changes with its address, client, scopes, grant or credentials. */
export const connectionDigestOf = (row: FhirProviderRow): string =>
  sha256In(
    "fhir-connection",
    ...[row.id, row.baseUrl, row.fhirVersion, row.clientId, row.scopes, row.tokenUrl ?? "", clientAuthOf(row), grantOf(row)],
    ...[row.clientSecret?.versionId ?? "", row.privateKey?.versionId ?? "", row.certificateData ?? ""],
  );

export const grantOf = ({ grant = "client_credentials" }: Pick<FhirProviderRow, "grant">) => grant;

/** Identifies what a user's consent covers: the server, the client and its scopes, but not the credentials. */
export const consentDigestOf = ({ id, baseUrl, tokenUrl = "", authUrl = "", clientId, scopes }: FhirProviderRow): string =>
  sha256In("fhir-consent", id, baseUrl, tokenUrl, authUrl, clientId, scopes);

/** Whether a user has authorized this very connection. */
export const isAuthorized = (row: FhirProviderRow): boolean =>
  grantOf(row) === "authorization_code" && row.consentDigest === consentDigestOf(row);
