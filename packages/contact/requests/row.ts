import type { OperatorRequest, OperatorRequestStatus, TenantRequest } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { keys, nextVersion, type OperatorRequestRow, put, remove, type Write } from "@vitaline/store";
import { sealFields, unsealFields } from "../contact-messages.ts";

/** `notes`: of each answer, in their order. */
export type SealedRequest = { message: string; name: string; email: string; tenantName: string; notes: { by: string; note?: string }[] };

const stateOf = (status: OperatorRequestStatus): "open" | "closed" => (status === "open" || status === "in_progress" ? "open" : "closed");
export const listedAt = ({ status, id }: OperatorRequestRow) => keys.listedRequest(stateOf(status), id);

const maxAnswers = 50;

type NewAnswer = { answer: OperatorRequestRow["answers"][number]; by: string; note?: string | undefined; ifMatch?: number | undefined };

/** The request with one more answer, and the writes of both lists. AppError `not_doable` after 50 answers. */
export async function withAnswer(
  before: OperatorRequestRow,
  { answer, by, note, ifMatch }: NewAnswer,
): Promise<{ after: OperatorRequestRow; sealed: SealedRequest; writes: Write[] }> {
  if (before.answers.length >= maxAnswers) throw new AppError("not_doable", "This request has had 50 answers. Please make a new one.");
  const { version, asRead } = nextVersion(before, ifMatch);
  const known = await unsealFields<SealedRequest>(before.sealed);
  const sealed = { ...known, notes: [...known.notes, { by, ...(note === undefined ? {} : { note }) }] };
  const after: OperatorRequestRow = {
    ...before,
    ...{ status: answer.status, version, sealed: await sealFields(sealed) },
    answers: [...before.answers, answer],
  };
  const isListedElsewhere = stateOf(before.status) !== stateOf(after.status);
  return {
    after,
    sealed,
    writes: [
      put(keys.operatorRequest(before.id), after, asRead),
      put(listedAt(after), after),
      ...(isListedElsewhere ? [remove(listedAt(before))] : []),
    ],
  };
}

/** As its organization sees it: operators are not named. */
export async function asTenantRequest(row: OperatorRequestRow): Promise<TenantRequest> {
  const sealed = await unsealFields<SealedRequest>(row.sealed);
  return {
    ...common(row, sealed),
    answers: answersOf(row, sealed).map((answer) => ({ ...answer, by: answer.from === "organization" ? answer.by : null })),
  };
}

export async function asOperatorRequest(row: OperatorRequestRow): Promise<OperatorRequest> {
  const sealed = await unsealFields<SealedRequest>(row.sealed);
  return {
    ...common(row, sealed),
    tenantId: row.tenantId,
    tenantName: sealed.tenantName,
    email: sealed.email,
    answers: answersOf(row, sealed),
  };
}

const answersOf = ({ answers }: OperatorRequestRow, { notes }: SealedRequest): OperatorRequest["answers"] =>
  answers.map(({ at, status, from = "platform" as const }, n) => ({
    at,
    from,
    status,
    note: notes[n]?.note ?? null,
    by: notes[n]?.by ?? "",
  }));

const common = ({ id, at, kind, status, version }: OperatorRequestRow, { message, name }: SealedRequest) => ({
  id,
  createdAt: at,
  kind,
  status,
  message,
  requestedBy: name,
  version,
});
