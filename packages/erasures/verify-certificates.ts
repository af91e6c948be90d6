import { keys, rowsOf, type ErasureRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { certificateKey, certificateClaims, certificateDigest, verifySignature, type CertificateKey } from "./certificate.ts";

/** An erasure that the audit reports as done, with the digest of its certificate. */
export type AuditedErasure = { erasureId: string; digest: string };

/**
 * `missing`: the audit reports it, but its row is gone. `unsigned`: the certificate was not signed with this key. `altered`: the row or
 * the audit differs from the certificate. `unknown`: it is signed, but no log reports it.
 */
export type ErasureFlaw = { kind: "missing" | "unsigned" | "altered" | "unknown"; erasureId: string };

export type ErasureVerification = {
  /** Finished erasures. */
  rows: number;
  intactRows: number;
  flaws: ErasureFlaw[];
  /** Tenants with a valid certificate of their erasure, or being erased now. */
  erasedTenants: ReadonlySet<string>;
};

export async function verifyErasures(
  ctx: PlatformContext,
  keyArn: string,
  audited: readonly AuditedErasure[],
): Promise<ErasureVerification> {
  const key = await certificateKey(keyArn);
  const digests = new Map(audited.map(({ erasureId, digest }) => [erasureId, digest]));
  const erasedTenants = new Set<string>();
  const flaws: ErasureFlaw[] = [];
  let rows = 0;
  for await (const row of rowsOf<ErasureRow>(ctx.platform, keys.partitions.erasures)) {
    const digest = digests.get(row.id);
    digests.delete(row.id);
    if (row.status !== "done") {
      if (row.kind === "tenant" && row.status === "erasing") erasedTenants.add(row.tenantId);
      if (digest !== undefined) flaws.push({ kind: "altered", erasureId: row.id });
      continue;
    }
    rows += 1;
    const kind = flawOf(key, row, readClaims(key, row), digest);
    if (kind) flaws.push({ kind, erasureId: row.id });
    else if (row.kind === "tenant") erasedTenants.add(row.tenantId);
  }
  for (const erasureId of digests.keys()) flaws.push({ kind: "missing", erasureId });
  return { rows, intactRows: rows - flaws.filter(({ kind }) => kind !== "missing").length, flaws, erasedTenants };
}

const readClaims = (key: CertificateKey, { certificate }: ErasureRow): Record<string, unknown> | undefined => {
  try {
    return certificate && verifySignature(key, certificate.jws);
  } catch {
    return undefined;
  }
};

const flawOf = (
  key: CertificateKey,
  row: ErasureRow,
  claims: Record<string, unknown> | undefined,
  digest: string | undefined,
): ErasureFlaw["kind"] | undefined => {
  if (!claims || !row.certificate || sortedJson(row.certificate.key) !== sortedJson(key)) return "unsigned";
  if (sortedJson(claims) !== sortedJson(certificateClaims(row))) return "altered";
  if (digest === undefined) return "unknown";
  return digest === certificateDigest(row.certificate) ? undefined : "altered";
};

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    one !== null && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
