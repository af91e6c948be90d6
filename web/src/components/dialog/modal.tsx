import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

type Props = {
  title: string;
  /** What stands between the title and the buttons. */ children: ReactNode;
  /** The first takes the focus, so the harmless one stands there. */ actions: ReactNode;
  /** Escape. */ onClose: () => void;
};

/** A question that has to be answered first: the browser's own dialog, which holds the focus and gives it back. */
export const Modal = ({ title, children, actions, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [titleId, textId] = [useId(), useId()];
  // Closed while it is still on the page, so that the focus goes back to where it came from.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <chakra.dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      m="auto"
      w="calc(100% - 2rem)"
      maxW="md"
      p="6"
      bg="bg.panel"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="l3"
      boxShadow="lg"
      _backdrop={{ bg: "black/60" }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={({ target }) => {
        // Browsers let nobody prevent a second Escape. Who asked decides whether the question goes: it may be busy.
        if (target !== dialog.current || dialog.current.open) return;
        dialog.current.showModal();
        onClose();
      }}
    >
      <Heading as="h2" size="xl" id={titleId}>
        {title}
      </Heading>
      <chakra.div id={textId} color="fg.muted" mt="2" mb="6">
        {children}
      </chakra.div>
      <chakra.div display="flex" flexWrap="wrap" gap="3">
        {actions}
      </chakra.div>
    </chakra.dialog>
  );
};
