import { site } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { call } from "../../lib/api/call.ts";

export type PlatformStatus = "asking" | "ok" | "degraded" | "silent";

/** Whether the platform works, as everybody may know. */
export const usePlatformStatus = (): PlatformStatus => {
  const [status, setStatus] = useState<PlatformStatus>("asking");
  useEffect(() => {
    let isGone = false;
    const ask = async (): Promise<PlatformStatus> => (await call(site.publicHealth, {})).status;
    void ask()
      .catch((): PlatformStatus => "silent")
      .then((answer) => isGone || setStatus(answer));
    return () => {
      isGone = true;
    };
  }, []);
  return status;
};
