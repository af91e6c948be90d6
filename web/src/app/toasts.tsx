import { Portal } from "@chakra-ui/react/portal";
import { Box } from "@chakra-ui/react/box";
import { Toast, Toaster } from "@chakra-ui/react/toast";
import { type PointerEvent, useRef } from "react";
import { toaster, toastLimits } from "./toaster.ts";

/** Swiped away to the right. */
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

/** The place where toasts appear. */
export const Toasts = () => {
  const swipe = useSwipe();
  return (
    <Portal>
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
    </Portal>
  );
};
