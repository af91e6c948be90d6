import { Fragment } from "react";

/** A name in camel case that a narrow screen breaks between its words. */
export const BreakableName = ({ name }: { name: string }) =>
  name.split(/(?=[A-Z][a-z])/).map((word, index) => (
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {word}
    </Fragment>
  ));
