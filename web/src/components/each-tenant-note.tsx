import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import type { EachTenant } from "../api/use-each-tenant.ts";
import { formatCount } from "../format/numbers.ts";

type Props = {
  each: Pick<EachTenant<unknown>, "tenants" | "loaded" | "skipped" | "isLoading" | "isRefreshing" | "refresh">;
  /** As in "Failed to load {what} of" the ones that were skipped. */ what: string;
};

const named = 3;

/** "a, b, c and 4 more". */
const inWords = (names: readonly string[]): string =>
  names.length > named ? `${names.slice(0, named).join(", ")} and ${names.length - named} more` : names.join(", ");

/** How many organizations a list covers as yet, and which ones it does without; nothing where it covers all. */
export const EachTenantNote = ({ each: { tenants, loaded, skipped, isLoading, isRefreshing, refresh }, what }: Props) =>
  isLoading || skipped.length > 0 ? (
    <Flex align="center" gap="3" wrap="wrap" textStyle="sm" color="fg.muted">
      <chakra.output>
        {tenants.data ? `${formatCount(loaded.length)} of ${formatCount(tenants.data.length)} organizations loaded` : ""}
      </chakra.output>
      {skipped.length === 0 ? null : (
        <>
          <chakra.span role="alert" color="fg.error" overflowWrap="anywhere">
            {`Failed to load ${what} of ${inWords(skipped.map(({ name }) => name))}.`}
          </chakra.span>
          <Button size="sm" variant="outline" aria-disabled={isRefreshing} onClick={() => isRefreshing || refresh()}>
            {isRefreshing ? "Retrying..." : "Retry"}
          </Button>
        </>
      )}
    </Flex>
  ) : null;
