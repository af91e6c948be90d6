import { type PublicConfig, site } from "@vitaline/contract";
import { createContext, useContext, useEffect, useState } from "react";
import { call } from "./call.ts";

type Memory = { asked?: Promise<PublicConfig | undefined> | undefined };

/** Holds the request of a visit. */
export const ConfigMemory = createContext<Memory>({});

const ask = (memory: Memory): Promise<PublicConfig | undefined> =>
  (memory.asked ??= call(site.publicConfig, {}).catch(() => {
    // Pages keep their static content. The next page asks again.
    memory.asked = undefined;
    return undefined;
  }));

/** The settings of the installation, read once a visit. undefined until known, and on failure. */
export const usePublicConfig = (): PublicConfig | undefined => {
  const memory = useContext(ConfigMemory);
  const [config, setConfig] = useState<PublicConfig>();
  useEffect(() => {
    let isGone = false;
    void ask(memory).then((answer) => isGone || setConfig(answer));
    return () => {
      isGone = true;
    };
  }, [memory]);
  return config;
};
