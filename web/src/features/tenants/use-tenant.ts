import { type TenantDetail, type TenantProfile, tenants } from "@vitaline/contract";
import { useCallback, useState } from "react";
import { UnreadableAnswer } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import type { TellDraft } from "../../lib/forms/drafts.ts";

/** A tenant without its key, as it is now as far as is known. */
type TenantState = {
  loaded: Loaded<TenantDetail>;
  /** After a change: what the platform answered. */ replace: (profile: TenantProfile) => void;
  /** After somebody else was faster. */ reread: () => Promise<void>;
};

/** Reads a tenant anew each time it is opened, without its key: that comes only where somebody asks to see it. */
export const useTenant = (tenantId: string): TenantState => {
  const loaded = useApi(tenants.getTenant, { params: { tenantId }, query: { withKey: "false" } }, { fresh: true });
  const [now, setNow] = useState<Omit<TenantProfile, "createdAt">>();
  const reread = useCallback(
    async () => setNow(await call(tenants.getTenant, { params: { tenantId }, query: { withKey: "false" } })),
    [tenantId],
  );
  return { loaded: { ...loaded, data: loaded.data && { ...loaded.data, ...now } }, replace: setNow, reread };
};

/** The key itself, from where the look at it is audited; held by nobody but who asked. Throws as `call` does. */
export const lookAtKey = async (tenantId: string): Promise<string> => {
  const { apiKey } = await call(tenants.getTenant, { params: { tenantId } });
  if (apiKey === null) throw new UnreadableAnswer(tenants.getTenant.path);
  return apiKey;
};

/** What every form of the dialog is given. */
export type Saving = {
  tenant: TenantDetail;
  onSaved: (profile: TenantProfile) => void;
  /** Reads again what somebody else has saved meanwhile. */ onStale: () => Promise<void>;
  onDraft: TellDraft;
};
