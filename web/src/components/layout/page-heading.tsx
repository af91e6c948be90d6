import { Heading, type HeadingProps } from "@chakra-ui/react/heading";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

type Props = HeadingProps & {
  /** The document's title; the heading's own text when absent. */
  documentTitle?: string;
  /** It takes the place of another heading at the same address. */
  isStep?: boolean;
  children: string;
};

/** The page's one h1. After a change of page it takes the focus, so that a screen reader says where one is. */
export const PageHeading = ({ documentTitle, isStep = false, children, ...rest }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const [first] = useState({ key, pathname });
  // The router gives the first address of a visit the key "default". A new query is the same page.
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
