import { chakra } from "@chakra-ui/react/styled-system";
import { Button } from "@chakra-ui/react/button";
import { lazy, Suspense, useState } from "react";

/** The one number that a panel is about. */
export const Figure = ({ value, caption }: { value: string; caption: string }) => (
  <chakra.p>
    <chakra.span display="block" textStyle="4xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
      {value}
    </chakra.span>
    <chakra.span textStyle="sm" color="fg.muted">
      {caption}
    </chakra.span>
  </chakra.p>
);

const MoneyDialog = lazy(() => import("./amounts-dialog.tsx"));

/** Opens the form of the amounts that money is counted by; the text says which of them it is about. */
export const MoneyButton = ({ children }: { children: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setIsOpen(true)}>
        {children}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <MoneyDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
};
