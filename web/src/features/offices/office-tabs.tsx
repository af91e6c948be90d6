import { chakra } from "@chakra-ui/react/styled-system";
import { Tabs } from "@chakra-ui/react/tabs";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { Ref } from "react";
import { tabStrip } from "../../components/layout/tabs.tsx";
import type { OwnPart } from "./office-editor.tsx";
import { formParts } from "./use-office-place.ts";

const partNames = { details: "Details", hours: "Hours", routing: "Staff routing", messages: "Messages" };
const partsOfForm = formParts.map((value) => ({ value, label: partNames[value] }));

type Props = {
  list: Ref<HTMLDivElement>;
  ownParts: readonly OwnPart[];
  /** Those with something to correct. */ wrong: ReadonlySet<string>;
};

/** The way between an office's parts, with a mark at those that have something to correct. */
export const OfficeTabs = ({ list, ownParts, wrong }: Props) => (
  <chakra.div {...tabStrip}>
    <Tabs.List ref={list} aria-label="Parts of the office">
      {[...partsOfForm, ...ownParts].map(({ value, label }) => (
        <Tabs.Trigger key={value} value={value} flexShrink="0" color={wrong.has(value) ? "fg.error" : undefined}>
          {label}
          {wrong.has(value) ? <VisuallyHidden>, to be corrected</VisuallyHidden> : null}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  </chakra.div>
);
