import type { LinkProps } from "@chakra-ui/react/link";
import { useSearchParams } from "react-router-dom";
import { TextLink } from "../../components/layout/links.tsx";
import { callsAddress, type CountedCalls } from "./page-range.ts";

/** A figure, or words, that open the calls that were counted. */
export const CallsLink = ({ counted, ...rest }: LinkProps & { counted: CountedCalls }) => {
  const [search] = useSearchParams();
  return <TextLink to={callsAddress(search, counted)} {...rest} />;
};
