import { type Erasure, type ErasureDetail, erasures } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { type Loaded, useApi } from "../../api/use-api.ts";

export type ErasureState = {
  loaded: Loaded<ErasureDetail>;
  /** When it was as it is shown, in milliseconds. */ now: number;
  /** As it is after an act, or as it was read again. */ take: (erasure: Erasure) => void;
  /** Throws as `call` does. */ reread: () => Promise<ErasureDetail>;
};

/** One erasure as it is now as far as is known; what else shows it is told of each change. */
export const useErasure = (erasureId: string, onChanged: (erasure: Erasure) => void): ErasureState => {
  const params = { erasureId };
  const loaded = useApi(erasures.getErasure, { params }, { fresh: true });
  const [later, setLater] = useState<{ at?: number; changes: Partial<ErasureDetail> }>({ changes: {} });
  const take = (erasure: Erasure) => {
    // Its link to the copy is for the one download that asked for it.
    const at = Date.now();
    setLater(({ changes }) => ({ at, changes: { ...changes, ...erasure, copyUrl: null } }));
    onChanged(erasure);
  };
  const reread = () => call(erasures.getErasure, { params });
  return {
    loaded: { ...loaded, data: loaded.data && { ...loaded.data, ...later.changes } },
    now: later.at ?? loaded.receivedAt?.getTime() ?? 0,
    take,
    reread,
  };
};
