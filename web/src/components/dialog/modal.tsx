import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

type Props = {
  title: string;
  children: ReactNode;
  /** The first action takes the focus, so it should be the harmless one. */
  actions: ReactNode;
  onClose: () => void;
};

/** A question in a native `<dialog>`, which keeps the focus inside and restores it. */
export const Modal = ({ title, children, actions, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [titleId, textId] = [useId(), useId()];
  // Closed before it leaves the page, so that the browser restores the focus.
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
        // Browsers do not allow preventing a second Escape. The caller decides whether a busy question closes.
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
