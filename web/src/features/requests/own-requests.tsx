import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type OperatorRequestKind, type TenantRequest, tenantRequests } from "@vitaline/contract";
import { lazy, Suspense, useState } from "react";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { useMay } from "../../lib/session/may.ts";
import { requestKindNames } from "./request-format.tsx";
import { RequestRow } from "./request-row.tsx";

const ReplyDialog = lazy(() => import("./reply-dialog.tsx"));

export const RequestList = ({ rows, label }: { rows: readonly TenantRequest[]; label: string }) => {
  const [opened, setOpened] = useState<string>();
  const request = rows.find(({ id }) => id === opened);
  return (
    <>
      <chakra.ul listStyleType="none" aria-label={label}>
        {rows.map((row) => (
          <li key={row.id}>
            <RequestRow request={row}>
              <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={() => setOpened(row.id)}>
                Reply
                <VisuallyHidden>{` to the request: ${requestKindNames[row.kind]}`}</VisuallyHidden>
              </Button>
            </RequestRow>
          </li>
        ))}
      </chakra.ul>
      <Suspense fallback={null}>
        {request ? <ReplyDialog key={request.id} request={request} onClose={() => setOpened(undefined)} /> : null}
      </Suspense>
    </>
  );
};

/** The requests of one kind, on the screen where they are made; nothing while there are none. */
export const OwnRequests = ({ kind }: { kind: OperatorRequestKind }) => {
  const requests = useApi(tenantRequests.listRequests, { query: { kind } }, { when: useMay("GET /api/tenant/requests") });
  return requests.data === undefined || requests.data.length === 0 ? null : (
    <Panel title="Your requests" description="Your requests to the platform, and its answers">
      <Stack gap="4" align="flex-start">
        <chakra.div w="full">
          <RequestList rows={requests.data} label="Your requests" />
        </chakra.div>
        <TextLink to="/tenant/settings/requests" textStyle="sm">
          All requests
        </TextLink>
      </Stack>
    </Panel>
  );
};
