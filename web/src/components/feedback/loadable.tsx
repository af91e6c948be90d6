import type { ReactNode } from "react";
import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import type { Loaded } from "../../lib/api/use-api.ts";
import { Announcement } from "./alerts.tsx";
import { explain, requestIdOf } from "../../lib/api/api-error.ts";
import { Panel } from "../layout/panel.tsx";

type Props<T> = {
  loaded: Loaded<T>;
  /** As in "Loading {what}..." */
  what: string;
  /** Defaults to "Loading {what}...". */
  loading?: string;
  /** Defaults to "Failed to load {what}". */
  failed?: string;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
};

/** Renders data, a skeleton, or a load failure. Data stays visible while a refresh runs or fails. */
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

type LoadFailureProps = {
  /** As in "Failed to load {what}". */
  what: string;
  title?: string | undefined;
  error: unknown;
  onRetry: () => void;
  isRetrying: boolean;
};

/** Shows the error, the request id for support, and a retry button. */
export const LoadFailure = ({ what, title = `Failed to load ${what}`, error, onRetry, isRetrying }: LoadFailureProps) => {
  const requestId = requestIdOf(error);
  return (
    <Alert.Root status="error" role="alert" flexWrap="wrap" alignItems="center">
      <Alert.Content>
        <Alert.Title>{title}</Alert.Title>
        <Alert.Description>{explain(error)}</Alert.Description>
        {requestId === undefined ? null : <Alert.Description>{`Request ID: ${requestId}`}</Alert.Description>}
      </Alert.Content>
      <Button size="sm" variant="outline" onClick={onRetry}>
        {isRetrying ? "Retrying..." : "Retry"}
      </Button>
    </Alert.Root>
  );
};

export const ShortSkeleton = () => (
  <Stack gap="3" aria-hidden>
    <Skeleton h="8" w="24" />
    <Skeleton h="5" />
  </Stack>
);

export const RowSkeletons = () => (
  <Stack gap="5" aria-hidden>
    {[1, 2, 3, 4, 5].map((row) => (
      <Skeleton key={row} h="7" />
    ))}
  </Stack>
);

/** Replaces a component that failed to render. */
export const FailedPart = ({ title }: { title: string }) => (
  <Panel title={title}>
    <Alert.Root status="error" role="alert" flexWrap="wrap" alignItems="center">
      <Alert.Content>
        <Alert.Title>This section could not be shown</Alert.Title>
        <Alert.Description>The rest of the page is not affected. Reload the page to try again.</Alert.Description>
      </Alert.Content>
      <Button size="sm" variant="outline" onClick={() => location.reload()}>
        Reload page
      </Button>
    </Alert.Root>
  </Panel>
);
