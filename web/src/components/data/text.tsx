import { chakra, type HTMLChakraProps } from "@chakra-ui/react/styled-system";
import { Fragment } from "react";
import { formatExactly, formatMoment, formatMomentOfYear, useZone } from "../../lib/format/times.ts";

/** Lets a camel-case name wrap between its words. */
export const BreakableName = ({ name }: { name: string }) =>
  name.split(/(?=[A-Z][a-z])/).map((word, index) => (
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {word}
    </Fragment>
  ));

/** Lets an email address wrap after its @ and dots, and elsewhere only where one part alone is too wide. */
export const BreakableEmail = ({ email }: { email: string }) => (
  <chakra.span overflowWrap="break-word">
    {email.split(/(?<=[@.])/).map((part, index) => (
      <Fragment key={index}>
        {index > 0 ? <wbr /> : null}
        {part}
      </Fragment>
    ))}
  </chakra.span>
);

type DateTimeProps = { at: string; hasYear?: boolean } & HTMLChakraProps<"time">;

/** A formatted time with the full date and zone as its title. */
export const DateTime = ({ at, hasYear = false, ...rest }: DateTimeProps) => {
  const zone = useZone();
  return (
    <chakra.time dateTime={at} title={formatExactly(at, zone)} whiteSpace="nowrap" {...rest}>
      {(hasYear ? formatMomentOfYear : formatMoment)(at, zone)}
    </chakra.time>
  );
};
