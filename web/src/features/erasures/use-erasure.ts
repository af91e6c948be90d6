import { type Erasure, type ErasureDetail, erasures } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";

export type ErasureState = {
  loaded: Loaded<ErasureDetail>;
  /** When it was as it is shown, in milliseconds. */ now: number;
  /** As it is after an act, or as it was read again. */ take: (erasure: Erasure) => void;
  /** Throws as `call` does. */ reread: () => Promise<ErasureDetail>;
};

/** One erasure as it is now as far as is known; what else shows it is told of each change. */
export const useErasure = (erasureId: string, onChanged: (erasure: Erasure) => void): ErasureState => {
  const params = { erasureId };
  // Whom it is about is told once, as that stands in the audit
  const loaded = useApi(erasures.getErasure, { params, query: { withSubject: "true" } }, { fresh: true });
  const [later, setLater] = useState<{ at?: number; changes: Partial<ErasureDetail> }>({ changes: {} });
  const take = ({ callId: _callId, patientId: _patientId, ...erasure }: Erasure) => {
    // Its links to the copy are for the one download that asked for them.
    const at = Date.now();
    setLater(({ changes }) => ({ at, changes: { ...changes, ...erasure, copyUrls: null } }));
    onChanged({ ...erasure, callId: null, patientId: null });
  };
  const reread = () => call(erasures.getErasure, { params });
  return {
    loaded: { ...loaded, data: loaded.data && { ...loaded.data, ...later.changes } },
    now: later.at ?? loaded.receivedAt?.getTime() ?? 0,
    take,
    reread,
  };
};
