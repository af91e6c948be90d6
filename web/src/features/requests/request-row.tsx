import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type OperatorRequest, requestKindNames, type TenantRequest } from "@vitaline/contract";
import type { ReactNode } from "react";
import { DateTime } from "../../components/data/text.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { requestStatusNames, RequestStatusBadge } from "./request-format.tsx";

type Props = {
  request: TenantRequest | OperatorRequest;
  /** Beside the kind. */
  who?: string;
  children?: ReactNode;
};

/** A request with its words and what became of it. */
export const RequestRow = ({ request, who, children }: Props) => (
  <Disclosure
    title={[who, requestKindNames[request.kind]].filter(Boolean).join(" · ")}
    aside={
      <Flex gap="3" wrap="wrap" align="center" justify="flex-end">
        <RequestStatusBadge status={request.status} />
        <DateTime at={request.createdAt} textStyle="sm" color="fg.muted" />
      </Flex>
    }
  >
    <Stack gap="4" align="flex-start">
      <div>
        <Text color="fg.muted">{`${request.requestedBy} asked`}</Text>
        <Words>{request.message}</Words>
      </div>
      {request.answers.length === 0 ? <Text color="fg.muted">No answer yet.</Text> : <Answers answers={request.answers} />}
      {children}
    </Stack>
  </Disclosure>
);

const Answers = ({ answers }: Pick<TenantRequest | OperatorRequest, "answers">) => (
  <Stack as="ol" gap="3" listStyleType="none" aria-label="Answers">
    {answers.map(({ at, from, status, note, by }) => (
      <li key={`${at} ${status}`}>
        <Text color="fg.muted">
          {from === "organization" ? `${by} replied, ` : `${by ?? "The platform"}: ${requestStatusNames[status]}, `}
          <DateTime at={at} />
        </Text>
        {note === null ? null : <Words>{note}</Words>}
      </li>
    ))}
  </Stack>
);

const Words = ({ children }: { children: string }) => (
  <chakra.p whiteSpace="pre-wrap" overflowWrap="anywhere">
    {children}
  </chakra.p>
);
