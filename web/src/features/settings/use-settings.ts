import { tenant, type TenantSettings } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";

type State = {
  loaded: Loaded<TenantSettings>;
  /** Sets the answer to a change. */
  replace: (settings: TenantSettings) => Promise<void>;
  /** Reads the settings after a conflict. */
  reread: () => Promise<void>;
};

export type SettingsFormProps = { settings: TenantSettings } & Pick<State, "replace" | "reread">;

/** The organization's own settings, read when a form opens. */
export const useSettings = (): State => {
  const loaded = useApi(tenant.tenantSettings, {}, { fresh: true });
  const refresh = useRefresh();
  const [now, setNow] = useState<TenantSettings>();
  return {
    loaded: { ...loaded, data: now ?? loaded.data },
    replace: async (settings) => {
      setNow(settings);
      // The page's own times follow the zone.
      await refresh(tenant.tenantSettings);
    },
    reread: async () => setNow(await call(tenant.tenantSettings, {})),
  };
};
