import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type OperatorRequestKind, type TenantRequest, tenantRequests } from "@vitaline/contract";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { useMay } from "../../lib/session/may.ts";
import { RequestRow } from "./request-row.tsx";

export const RequestList = ({ rows, label }: { rows: readonly TenantRequest[]; label: string }) => (
  <chakra.ul listStyleType="none" aria-label={label}>
    {rows.map((request) => (
      <li key={request.id}>
        <RequestRow request={request} />
      </li>
    ))}
  </chakra.ul>
);

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
