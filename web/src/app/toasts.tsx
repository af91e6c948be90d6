import { Portal } from "@chakra-ui/react/portal";
import { Box } from "@chakra-ui/react/box";
import { Toast, Toaster } from "@chakra-ui/react/toast";
import { type PointerEvent, useEffect, useRef } from "react";
import { toaster, toastLimits } from "../lib/toast.ts";

/** Swiping to the right dismisses a toast. */
const useSwipe = () => {
  const start = useRef<number>(undefined);
  return (id: string | undefined) => ({
    onPointerDown: ({ clientX }: PointerEvent) => {
      start.current = clientX;
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      if (start.current !== undefined && clientX - start.current >= toastLimits.swipePixels) toaster.dismiss(id);
      start.current = undefined;
    },
  });
};

/** Keeps the toasts above dialogs that open later. */
const useTopLayer = () => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const front = place.current;
    front?.showPopover();
    const shown = new Set<string>();
    const unsubscribe = toaster.subscribe(({ id }: { id?: string }) => {
      // A toast is reported once per state; it needs to come to the front only once.
      if (id === undefined || shown.has(id) || !document.querySelector("dialog:modal")) return;
      shown.add(id);
      front?.hidePopover();
      front?.showPopover();
    });
    return () => {
      unsubscribe();
      front?.hidePopover();
    };
  }, []);
  return place;
};

export const Toasts = () => {
  const swipe = useSwipe();
  const place = useTopLayer();
  return (
    <Portal>
      <Box ref={place} popover="manual" w="0" h="0" p="0" m="0" borderWidth="0" bg="transparent" overflow="visible">
        <Toaster toaster={toaster} insetInline={{ mdDown: "4" }} zIndex="toast">
          {(toast) => (
            <Toast.Root width={{ md: "sm" }} touchAction="pan-y" userSelect="none" {...swipe(toast.id)}>
              <Box flex="1">
                <Toast.Title>{toast.title}</Toast.Title>
                {toast.description ? <Toast.Description>{toast.description}</Toast.Description> : null}
              </Box>
              <Toast.CloseTrigger aria-label="Dismiss" />
            </Toast.Root>
          )}
        </Toaster>
      </Box>
    </Portal>
  );
};
