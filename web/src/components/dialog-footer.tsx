import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { footerRoom } from "./dialog-bars.ts";

/**
 * What is done with a form in a dialog, last in the form: it stays in sight at the dialog's foot while the form is scrolled, unless the
 * window is too low to spare the room. Its shadow covers the dialog's own padding below it.
 */
export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <chakra.div
    data-dialog-footer
    display="flex"
    flexWrap="wrap"
    alignItems="center"
    gap="3"
    bg="bg.panel"
    borderTopWidth="1px"
    borderColor="border"
    mx={{ base: "-4", sm: "-6" }}
    px={{ base: "4", sm: "6" }}
    pt="4"
    css={{
      "@media (min-height: 30rem)": { position: "sticky", bottom: "0", zIndex: "docked", boxShadow: "0 1.25rem {colors.bg.panel}" },
      "& :is(button, a)": { scrollMarginBottom: `-${footerRoom}` },
    }}
  >
    {children}
  </chakra.div>
);
