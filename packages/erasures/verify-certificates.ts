import { keys, rowsOf, type ErasureRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { certificateKey, claimsOf, digestOf, verifiedClaims, type CertificateKey } from "./certificate.ts";

/** An erasure that the audit says is done, with the digest of its certificate. */
export type Told = { erasureId: string; digest: string };

/**
 * missing: the audit tells of it, and its row is gone. unsigned: its certificate was not made with this key. altered: the row, or what the
 * audit says of it, is not what was signed. unknown: it is signed, but no log tells of it.
 */
export type ErasureFlaw = { kind: "missing" | "unsigned" | "altered" | "unknown"; erasureId: string };

export type ErasureVerification = {
  /** Erasures that are done. */
  rows: number;
  intactRows: number;
  flaws: ErasureFlaw[];
  /** Tenants of which a valid certificate says that they were erased, or that are being erased now. */
  erasedTenants: ReadonlySet<string>;
};

/** Compares the certificates of all erasures with the key that signs them, with their rows and with the audit. */
export async function verifyErasures(ctx: PlatformContext, keyArn: string, told: readonly Told[]): Promise<ErasureVerification> {
  const key = await certificateKey(keyArn);
  const digests = new Map(told.map(({ erasureId, digest }) => [erasureId, digest]));
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
    const kind = flawOf(key, row, verified(key, row), digest);
    if (kind) flaws.push({ kind, erasureId: row.id });
    else if (row.kind === "tenant") erasedTenants.add(row.tenantId);
  }
  for (const erasureId of digests.keys()) flaws.push({ kind: "missing", erasureId });
  return { rows, intactRows: rows - flaws.filter(({ kind }) => kind !== "missing").length, flaws, erasedTenants };
}

const verified = (key: CertificateKey, { certificate }: ErasureRow): Record<string, unknown> | undefined => {
  try {
    return certificate && verifiedClaims(key, certificate.jws);
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
  if (!claims || !row.certificate || sorted(row.certificate.key) !== sorted(key)) return "unsigned";
  if (sorted(claims) !== sorted(claimsOf(row))) return "altered";
  if (digest === undefined) return "unknown";
  return digest === digestOf(row.certificate) ? undefined : "altered";
};

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    one !== null && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
