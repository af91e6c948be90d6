import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import Search from "lucide-react/dist/esm/icons/search.mjs";
import { lazy, Suspense, useEffect, useState } from "react";

const Palette = lazy(() => import("./palette.tsx"));

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const keyName = isApple ? "⌘K" : "Ctrl K";

const isShortcut = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** Opens the palette, also by Ctrl or Cmd and K, unless a dialog is open. */
export const PaletteButton = () => {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) setIsOpen(true);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <Button
        variant="outline"
        px={{ base: "0", lg: "3" }}
        color="fg.muted"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={`Go to (${keyName})`}
        onClick={() => setIsOpen(true)}
      >
        <Search aria-hidden />
        <VisuallyHidden hideFrom="lg">Go to</VisuallyHidden>
        <chakra.span hideBelow="lg">Go to</chakra.span>
        <chakra.kbd hideBelow="lg" fontFamily="body" textStyle="xs" borderWidth="1px" borderColor="border" borderRadius="l1" px="1.5">
          {keyName}
        </chakra.kbd>
      </Button>
      <Suspense fallback={null}>{isOpen ? <Palette onClose={() => setIsOpen(false)} /> : null}</Suspense>
    </>
  );
};
