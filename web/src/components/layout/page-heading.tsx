import { Heading, type HeadingProps } from "@chakra-ui/react/heading";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

type Props = HeadingProps & {
  /** Defaults to the heading's text. */
  documentTitle?: string;
  /** The heading replaces another one at the same address. */
  isStep?: boolean;
  children: string;
};

/** The page's only h1. It takes the focus after navigation, so that screen readers announce the page. */
export const PageHeading = ({ documentTitle, isStep = false, children, ...rest }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const [first] = useState({ key, pathname });
  // The router's key of the first address of a visit is "default". A new query is the same page.
  const isArrival = isStep || first.key !== "default" || first.pathname !== pathname;

  useEffect(() => {
    if (!isArrival) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [isArrival, pathname]);

  return (
    <>
      <title>{`${documentTitle ?? children} · Vitaline`}</title>
      <Heading as="h1" ref={heading} tabIndex={-1} {...rest}>
        {children}
      </Heading>
    </>
  );
};
