import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type OperatorRequestKind, requestKindNames, type TenantRequest, tenantRequests } from "@vitaline/contract";
import { lazy, Suspense, useState } from "react";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useMay } from "../../lib/session/may.ts";
import { RequestRow } from "./request-row.tsx";

const ReplyDialog = lazy(() => import("./reply-dialog.tsx"));

type ListProps = { rows: readonly TenantRequest[]; label: string; onChanged: (request: TenantRequest) => void };

export const RequestList = ({ rows, label, onChanged }: ListProps) => {
  // Not looked up in the rows: a list that is read again loses its further pages, but not the words of a reply.
  const [opened, setOpened] = useState<TenantRequest>();
  const change = (now: TenantRequest) => {
    setOpened((before) => (before?.id === now.id ? now : before));
    onChanged(now);
  };
  return (
    <>
      <chakra.ul listStyleType="none" aria-label={label}>
        {rows.map((row) => (
          <li key={row.id}>
            <RequestRow request={row}>
              <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={() => setOpened(row)}>
                Reply
                <VisuallyHidden>{` to the request: ${requestKindNames[row.kind]}`}</VisuallyHidden>
              </Button>
            </RequestRow>
          </li>
        ))}
      </chakra.ul>
      <Suspense fallback={null}>
        {opened ? <ReplyDialog key={opened.id} request={opened} onChanged={change} onClose={() => setOpened(undefined)} /> : null}
      </Suspense>
    </>
  );
};

/** The requests of one kind, on the screen where they are made; nothing while there are none. */
export const OwnRequests = ({ kind }: { kind: OperatorRequestKind }) => {
  const requests = useApi(tenantRequests.listRequests, { query: { kind } }, { when: useMay("GET /api/tenant/requests") });
  const refresh = useRefresh();
  return requests.data === undefined || requests.data.length === 0 ? null : (
    <Panel title="Your requests" description="Your requests to the platform, and its answers">
      <Stack gap="4" align="flex-start">
        <chakra.div w="full">
          <RequestList
            rows={requests.data}
            label="Your requests"
            onChanged={() => void refresh(tenantRequests.listRequests).catch(() => undefined)}
          />
        </chakra.div>
        <TextLink to="/tenant/settings/requests" textStyle="sm">
          All requests
        </TextLink>
      </Stack>
    </Panel>
  );
};
