import type { OperatorRequest, OperatorRequestStatus, TenantRequest } from "@vitaline/contract";
import { keys, type OperatorRequestRow } from "@vitaline/store";
import { unsealFields } from "../contact-messages.ts";

/** `notes`: of each answer, in their order. */
export type SealedRequest = { message: string; name: string; email: string; tenantName: string; notes: { by: string; note?: string }[] };

const stateOf = (status: OperatorRequestStatus): "open" | "closed" => (status === "open" || status === "in_progress" ? "open" : "closed");
export const listedAt = ({ status, id }: OperatorRequestRow) => keys.listedRequest(stateOf(status), id);
export const isListedElsewhere = (before: OperatorRequestRow, after: OperatorRequestRow): boolean =>
  stateOf(before.status) !== stateOf(after.status);

/** As its organization sees it: operators are not named. */
export async function asTenantRequest(row: OperatorRequestRow): Promise<TenantRequest> {
  const sealed = await unsealFields<SealedRequest>(row.sealed);
  return {
    ...common(row, sealed),
    answers: row.answers.map(({ at, status }, n) => ({ at, status, note: sealed.notes[n]?.note ?? null })),
  };
}

export async function asOperatorRequest(row: OperatorRequestRow): Promise<OperatorRequest> {
  const sealed = await unsealFields<SealedRequest>(row.sealed);
  return {
    ...common(row, sealed),
    tenantId: row.tenantId,
    tenantName: sealed.tenantName,
    email: sealed.email,
    answers: row.answers.map(({ at, status }, n) => ({
      at,
      status,
      note: sealed.notes[n]?.note ?? null,
      by: sealed.notes[n]?.by ?? "",
    })),
  };
}

const common = ({ id, at, kind, status, version }: OperatorRequestRow, { message, name }: SealedRequest) => ({
  id,
  createdAt: at,
  kind,
  status,
  message,
  requestedBy: name,
  version,
});
