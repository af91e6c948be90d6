import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";

/** Holds the place of a figure and a line below it. */
export const ShortSkeleton = () => (
  <Stack gap="3" aria-hidden>
    <Skeleton h="8" w="24" />
    <Skeleton h="5" />
  </Stack>
);
