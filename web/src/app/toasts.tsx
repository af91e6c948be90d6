import { Portal } from "@chakra-ui/react/portal";
import { Box } from "@chakra-ui/react/box";
import { Toast, Toaster } from "@chakra-ui/react/toast";
import { toaster } from "./toaster.ts";

/** The place where toasts appear. */
export const Toasts = () => (
  <Portal>
    <Toaster toaster={toaster} insetInline={{ mdDown: "4" }} zIndex="toast">
      {(toast) => (
        <Toast.Root width={{ md: "sm" }}>
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
