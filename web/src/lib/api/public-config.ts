import { type PublicConfig, site } from "@vitaline/contract";
import { createContext, useContext, useEffect, useState } from "react";
import { call } from "./call.ts";

type Memory = { asked?: Promise<PublicConfig | undefined> | undefined };

/** What was asked for once a visit; as long as its page lives unless another is given. */
export const ConfigMemory = createContext<Memory>({});

const ask = (memory: Memory): Promise<PublicConfig | undefined> =>
  (memory.asked ??= call(site.publicConfig, {}).catch(() => {
    // Without an answer the pages stay as they were built; the next page asks again.
    memory.asked = undefined;
    return undefined;
  }));

/** How this installation is set up, once it is known: asked for once a visit. undefined before that, and when nobody answers. */
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
