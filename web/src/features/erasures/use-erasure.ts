import { type Erasure, type ErasureDetail, erasures } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import { ApiError, explain, isUncertain } from "../../lib/api/api-error.ts";
import { useAction } from "../../lib/api/use-action.ts";

type ErasureState = {
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

/** What each part of the dialog is given. */
export type PartProps = Omit<ErasureState, "loaded"> & {
  erasure: ErasureDetail;
  /** The focus goes to how far it is, as the button that had it is gone. */ onMoved: () => void;
};

/** Whether it is not any more as it was shown: another person has acted, or time has. */
export const isOvertaken = (error: unknown): boolean => error instanceof ApiError && (error.status === 409 || error.status === 404);

type Reading = Pick<ErasureState, "take" | "reread">;

/** Acts on an erasure: why one was refused is told in the dialog; where it may be otherwise than it is shown, it is read again. */
export const useErasureAct = <Arguments extends unknown[]>(
  act: (...given: Arguments) => Promise<void>,
  { take, reread }: Reading,
  onRefused: (error: unknown) => void = () => undefined,
) => {
  const [failure, setFailure] = useState<string>();
  const forget = () => setFailure(undefined);
  const action = useAction(
    async (...given: Arguments) => {
      forget();
      await act(...given);
    },
    (error) => {
      setFailure(explain(error));
      onRefused(error);
      if (isOvertaken(error) || isUncertain(error)) void reread().then(take, () => undefined);
    },
  );
  return { ...action, failure, forget };
};
