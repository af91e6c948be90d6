import { type TenantDetail, type TenantProfile, tenants } from "@vitaline/contract";
import { useCallback, useState } from "react";
import { UnreadableAnswer } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import type { ReportDraft } from "../../lib/forms/drafts.ts";

type TenantState = {
  loaded: Loaded<TenantDetail>;
  /** Sets the answer to a change. */
  replace: (profile: TenantProfile) => void;
  /** Reads the tenant after a conflict. */
  reread: () => Promise<void>;
};

/** Reads the tenant each time it opens, without its key. */
export const useTenant = (tenantId: string): TenantState => {
  const loaded = useApi(tenants.getTenant, { params: { tenantId }, query: { withKey: "false" } }, { fresh: true });
  const [now, setNow] = useState<Omit<TenantProfile, "createdAt">>();
  const reread = useCallback(
    async () => setNow(await call(tenants.getTenant, { params: { tenantId }, query: { withKey: "false" } })),
    [tenantId],
  );
  return { loaded: { ...loaded, data: loaded.data && { ...loaded.data, ...now } }, replace: setNow, reread };
};

/** Reading the key is audited. Throws as `call` does. */
export const readTenantApiKey = async (tenantId: string): Promise<string> => {
  const { apiKey } = await call(tenants.getTenant, { params: { tenantId } });
  if (apiKey === null) throw new UnreadableAnswer(tenants.getTenant.path);
  return apiKey;
};

export type TenantFormProps = {
  tenant: TenantDetail;
  onSaved: (profile: TenantProfile) => void;
  /** Reads the tenant after a conflict. */
  onStale: () => Promise<void>;
  onDraft: ReportDraft;
};
