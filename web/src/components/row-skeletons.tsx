import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";

/** Holds the place of a list of five. */
export const RowSkeletons = () => (
  <Stack gap="5" aria-hidden>
    {[1, 2, 3, 4, 5].map((row) => (
      <Skeleton key={row} h="7" />
    ))}
  </Stack>
);
