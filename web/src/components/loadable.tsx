import type { ReactNode } from "react";
import type { Loaded } from "../api/use-api.ts";
import { Announcement } from "./announcement.tsx";
import { LoadFailure } from "./load-failure.tsx";

type Props<T> = {
  loaded: Loaded<T>;
  /** As in "Loading {what}..." */ what: string;
  /** Said instead of that. */ loading?: string;
  /** Said instead of "Failed to load {what}". */ failed?: string;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
};

/** Data in its three states. Data once shown stays while a refresh runs or fails. */
export const Loadable = <T,>({ loaded, what, loading, failed, skeleton, children }: Props<T>) => {
  if (loaded.data !== undefined) return children(loaded.data);
  if (loaded.error !== undefined)
    return <LoadFailure what={what} title={failed} error={loaded.error} onRetry={loaded.refresh} isRetrying={loaded.isRefreshing} />;
  return (
    <>
      <Announcement text={loading ?? `Loading ${what}...`} />
      {skeleton}
    </>
  );
};
