import { type ReactNode, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Announcement } from "../feedback/alerts.tsx";
import { FailedPart, RowSkeletons } from "../feedback/loadable.tsx";
import { Panel } from "./panel.tsx";

/** A panel whose code loads lazily. A failure affects only this panel. */
export const LazyPanel = ({ title, children }: { title: string; children: ReactNode }) => (
  <ErrorBoundary fallback={<FailedPart title={title} />}>
    <Suspense
      fallback={
        <Panel title={title}>
          <Announcement text={`Loading ${title}...`} />
          <RowSkeletons />
        </Panel>
      }
    >
      {children}
    </Suspense>
  </ErrorBoundary>
);
