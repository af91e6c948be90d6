import { Button } from "@chakra-ui/react/button";
import { lazy, Suspense, useState } from "react";

const MoneyDialog = lazy(() => import("./money-dialog.tsx"));

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
