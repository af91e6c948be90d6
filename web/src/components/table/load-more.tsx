import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { useState } from "react";
import { explain } from "../../lib/api/api-error.ts";
import type { LoadedPages } from "../../lib/api/use-pages.ts";

type Pages = Pick<LoadedPages<unknown>, "hasMore" | "isLoadingMore" | "moreError" | "loadMore">;
type Stepped<Row> = Pages & { data: Row[] };

const none: Pages = { hasMore: false, isLoadingMore: false, moreError: undefined, loadMore: () => undefined };

/** Renders a long list in steps. `pages` loads further rows. */
export const useIncrementalList = <Row,>(rows: readonly Row[], pages: Pages = none, step = 50): Stepped<Row> => {
  const [most, setMost] = useState(step);
  return {
    ...pages,
    data: rows.slice(0, most),
    hasMore: rows.length > most || pages.hasMore,
    loadMore: () => {
      setMost(most + step);
      if (rows.length < most + step && pages.hasMore) pages.loadMore();
    },
  };
};

type Props = {
  pages: Pick<LoadedPages<unknown>, "data" | "hasMore" | "isLoadingMore" | "moreError" | "loadMore">;
  /** The plural of the rows, as in "12 {what} shown". */
  what: string;
};

const singulars: Readonly<Record<string, string>> = {
  deliveries: "delivery",
  people: "person",
  "voice agents of this office": "voice agent of this office",
};
const singularOf = (what: string): string => singulars[what] ?? what.replace(/s$/, "");

export const LoadMore = ({ pages: { data = [], hasMore, isLoadingMore, moreError, loadMore }, what }: Props) => (
  <Flex direction="column" align="center" gap="3" pt="4">
    {moreError === undefined ? null : (
      <Alert.Root status="error" role="alert">
        <Alert.Description>{explain(moreError)}</Alert.Description>
      </Alert.Root>
    )}
    <Flex as="output" textStyle="sm" color="fg.muted">
      {`${data.length} ${data.length === 1 ? singularOf(what) : what} shown${hasMore ? "" : ", that is all"}`}
    </Flex>
    {hasMore ? (
      <Button variant="outline" size="sm" aria-disabled={isLoadingMore} onClick={loadMore}>
        {isLoadingMore ? "Loading..." : "Load more"}
      </Button>
    ) : null}
  </Flex>
);
