import { type Erasure, type ErasureDetail, erasures } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import { ApiError, explain, isUncertain } from "../../lib/api/api-error.ts";
import { useAction } from "../../lib/api/use-action.ts";

type ErasureState = {
  loaded: Loaded<ErasureDetail>;
  /** When the shown state was received, in milliseconds */
  now: number;
  update: (erasure: Erasure) => void;
  /** Throws like `call` */
  reload: () => Promise<ErasureDetail>;
};

/** Loads an erasure and merges later changes into it; `onChanged` reports each change. */
export const useErasure = (erasureId: string, onChanged: (erasure: Erasure) => void): ErasureState => {
  const params = { erasureId };
  // The API audits each read of the subject, so it is read only once and kept.
  const loaded = useApi(erasures.getErasure, { params, query: { withSubject: "true" } }, { fresh: true });
  const [later, setLater] = useState<{ at?: number; changes: Partial<ErasureDetail> }>({ changes: {} });
  const update = ({ callId: _callId, patientId: _patientId, ...erasure }: Erasure) => {
    // Copy links are valid only for the download that requested them.
    const at = Date.now();
    setLater(({ changes }) => ({ at, changes: { ...changes, ...erasure, copyUrls: null } }));
    onChanged({ ...erasure, callId: null, patientId: null });
  };
  const reload = () => call(erasures.getErasure, { params });
  return {
    loaded: { ...loaded, data: loaded.data && { ...loaded.data, ...later.changes } },
    now: later.at ?? loaded.receivedAt?.getTime() ?? 0,
    update,
    reload,
  };
};

export type SectionProps = Omit<ErasureState, "loaded"> & {
  erasure: ErasureDetail;
  /** Moves focus to the progress section when the focused button disappears */
  moveFocus: () => void;
};

export const isConflict = (error: unknown): boolean => error instanceof ApiError && (error.status === 409 || error.status === 404);

type ErasureUpdates = Pick<ErasureState, "update" | "reload">;

/** Runs an action and reloads the erasure when it may have changed. */
export const useErasureAction = <Arguments extends unknown[]>(
  act: (...given: Arguments) => Promise<void>,
  { update, reload }: ErasureUpdates,
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
      if (isConflict(error) || isUncertain(error)) void reload().then(update, () => undefined);
    },
  );
  return { ...action, failure, forget };
};
