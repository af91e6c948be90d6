import { chakra } from "@chakra-ui/react/styled-system";
import { Button } from "@chakra-ui/react/button";
import { lazy, Suspense, useState } from "react";
import { useMay } from "../../../lib/session/may.ts";

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

const AmountsDialog = lazy(() => import("./amounts-dialog.tsx"));

export const AmountsButton = ({ children }: { children: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  if (!useMay("PUT /api/tenant/settings")) return null;
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setIsOpen(true)}>
        {children}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <AmountsDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
};
