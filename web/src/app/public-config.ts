import { type PublicConfig, site } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { call } from "../api/call.ts";

let asked: Promise<PublicConfig | undefined> | undefined;

const ask = (): Promise<PublicConfig | undefined> =>
  (asked ??= call(site.publicConfig, {}).catch(() => {
    // Without an answer the pages stay as they were built; the next page asks again.
    asked = undefined;
    return undefined;
  }));

/** How this installation is set up, once it is known: asked for once a visit. undefined before that, and when nobody answers. */
export const usePublicConfig = (): PublicConfig | undefined => {
  const [config, setConfig] = useState<PublicConfig>();
  useEffect(() => {
    let isGone = false;
    void ask().then((answer) => isGone || setConfig(answer));
    return () => {
      isGone = true;
    };
  }, []);
  return config;
};
