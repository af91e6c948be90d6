import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";

/** Said by screen readers, not shown: what everybody else sees from a skeleton. */
export const Announcement = ({ text }: { text: string }) => (
  <VisuallyHidden asChild>
    <output>{text}</output>
  </VisuallyHidden>
);
