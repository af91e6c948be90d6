import { isDeepStrictEqual } from "node:util";
import type { TenantChange } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { retentionOf, retentionRequest, type TenantContext, type TenantRow, type Write } from "@vitaline/store";
import { applied, type Fields } from "./edit.ts";

type Policies = NonNullable<TenantRow["policies"]>;

/** What the change leaves out stays, each period too. AppError `invalid_request` where texts would outlive their call. */
export function policiesAfter(before: Policies = {}, { retention, ...change }: NonNullable<TenantChange["policies"]>): Policies {
  const after: Policies = applied(before, { ...change, ...(retention && { retention: { ...before.retention, ...retention } }) });
  const { calls, transcripts } = retentionOf({ policies: after });
  if (transcripts <= calls) return after;
  const message = "Must not be longer than the call itself is kept";
  throw new AppError("invalid_request", message, { fields: { "policies.retention.transcripts": message } });
}

/** Writes that have new periods applied to what is stored already; none where they stay as they are. */
export const retentionWrites = (ctx: TenantContext, tenant: TenantRow, { policies }: Fields<TenantRow>): Write[] => {
  const now = ctx.clock();
  const stays = !policies || isDeepStrictEqual(retentionOf(tenant), retentionOf({ policies }));
  return stays ? [] : retentionRequest(ctx.tenantId, newId(now.getTime()), now);
};
