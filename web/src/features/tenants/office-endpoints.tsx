import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import type { Office } from "@vitaline/contract";
import type { Loaded } from "../../lib/api/use-api.ts";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { endpointTold } from "./copy-told.ts";

const previewedOffices = 2;

const Endpoints = ({ offices, endpoint }: { offices: readonly Office[]; endpoint: string }) => {
  const more = offices.length - previewedOffices;
  return (
    <>
      {offices.slice(0, previewedOffices).map(({ id, name }) => (
        <CodeBlock key={id} label={`Endpoint of ${name}`} text={`${endpoint}/${id}`} {...endpointTold} />
      ))}
      {offices.length === 0 || more > 0 ? (
        <Text textStyle="sm" color="fg.muted">
          {more > 0 ? `+${more} more offices available` : "Each office that you add gets an address of its own."}
        </Text>
      ) : null}
    </>
  );
};

/** Where the first offices of an organization are reached, each by itself. `endpoint` is the organization's. */
export const OfficeEndpoints = ({ offices, endpoint }: { offices: Loaded<Office[]>; endpoint: string }) => (
  <Stack gap="3">
    <Heading as="h4" size="sm">
      Office-level endpoints
    </Heading>
    <Loadable loaded={offices} what="offices" failed="Failed to fetch offices" skeleton={<RowSkeletons />}>
      {(list) => <Endpoints offices={list} endpoint={endpoint} />}
    </Loadable>
  </Stack>
);
