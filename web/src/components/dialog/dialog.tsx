import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Heading } from "@chakra-ui/react/heading";
import X from "lucide-react/dist/esm/icons/x.mjs";
import { stopAsking, useLeaveGuard } from "../../lib/routing/unsaved-changes.ts";
import { Modal } from "./modal.tsx";
import { useScrollStop } from "../../lib/dom/scroll.ts";

/** The window is high enough for bars that stay while a dialog scrolls; at a zoom of 400 % it is not. */
export const highEnough = "(min-height: 30rem)";
const tooLow = "@media (max-height: 29.99rem)";

/** The height of a dialog's footer or tabs. */
export const footerRoom = "24";
export const tabsRoom = "20";

/** Scrolls a focused element out from under sticky tabs and footer. */
const betweenBars = {
  "&:has([data-dialog-footer])": { scrollPaddingBottom: footerRoom },
  "&:has([data-dialog-tabs])": { scrollPaddingTop: tabsRoom },
} as const;

type DialogHeaderProps = {
  title: string;
  titleId: string;
  description: string | undefined;
  textId: string;
  /** The close button repeats the title. */
  namesClose: boolean;
  onClose: () => void;
};

const DialogHeader = ({ title, titleId, description, textId, namesClose, onClose }: DialogHeaderProps) => (
  <chakra.header
    display="flex"
    justifyContent="space-between"
    alignItems="flex-start"
    gap="4"
    flexShrink="0"
    px={{ base: "4", sm: "6" }}
    py="4"
    borderBottomWidth="1px"
    borderColor="border"
  >
    <chakra.div minW="0" overflowWrap="anywhere">
      <Heading as="h2" size="xl" id={titleId}>
        {title}
      </Heading>
      {description === undefined ? null : (
        <chakra.p id={textId} textStyle="sm" color="fg.muted" mt="1">
          {description}
        </chakra.p>
      )}
    </chakra.div>
    <Button variant="ghost" size="sm" aria-label="Close" flexShrink="0" onClick={onClose}>
      <X aria-hidden />
      {namesClose ? "Close" : null}
    </Button>
  </chakra.header>
);

type Props = {
  title: string;
  description?: string;
  size?: "md" | "lg" | "xl";
  /** Closing asks for confirmation. */
  isDirty?: boolean;
  /** The question's text about the unsaved input. */
  unsaved?: string;
  /** The close button repeats the title, for dialogs that mainly display data. */
  namesClose?: boolean;
  onClose: () => void;
  children: ReactNode;
};

const widths = { md: "lg", lg: "3xl", xl: "5xl" };

/** A native `<dialog>`, which keeps the focus inside and restores it. The first field or button takes the focus. */
export const Dialog = ({
  title,
  description,
  size = "md",
  isDirty = false,
  unsaved = "What you have typed here has not been saved.",
  namesClose = false,
  onClose,
  children,
}: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const { frame: content, isStop } = useScrollStop();
  const [titleId, textId] = [useId(), useId()];
  const [isAsking, setIsAsking] = useState(false);
  useLeaveGuard(isDirty, setIsAsking);
  // Closed before it leaves the page, so that the browser restores the focus.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    content.current?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea, button, [tabindex='0']")?.focus();
    return () => {
      // An inner confirmation must close first: nothing beneath it can take the focus.
      for (const inner of opened?.querySelectorAll<HTMLDialogElement>("dialog[open]") ?? []) inner.close();
      opened?.close();
    };
  }, [content]);
  const leave = () => (isDirty ? setIsAsking(true) : onClose());
  return (
    <chakra.dialog
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={description === undefined ? undefined : textId}
      m={{ base: "0", sm: "auto" }}
      w={{ base: "100%", sm: "calc(100% - 3rem)" }}
      maxW={{ base: "100%", sm: widths[size] }}
      h={{ base: "100dvh", sm: "fit-content" }}
      maxH={{ base: "100dvh", sm: "calc(100dvh - 4rem)" }}
      p="0"
      bg="bg.panel"
      color="fg"
      borderWidth={{ base: "0", sm: "1px" }}
      borderColor="border"
      borderRadius={{ base: "0", sm: "l3" }}
      boxShadow="lg"
      overflow="hidden"
      flexDirection="column"
      css={{ "&[open]": { display: "flex" }, [tooLow]: { overflowY: "auto" } }}
      _backdrop={{ bg: "black/60" }}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === dialog.current) leave();
      }}
      onClose={({ target }) => {
        // Browsers do not allow preventing a second Escape, or an Escape before any other input.
        if (target !== dialog.current || dialog.current.open) return;
        dialog.current.showModal();
        const inner = dialog.current.querySelector<HTMLDialogElement>("dialog[open]");
        if (inner === null) return leave();
        // Escape was meant for the inner confirmation, which has to open again.
        inner.close();
        inner.showModal();
      }}
    >
      <DialogHeader title={title} titleId={titleId} description={description} textId={textId} namesClose={namesClose} onClose={leave} />
      <chakra.div
        ref={content}
        flex="1"
        minH="0"
        overflowX="hidden"
        overflowY="auto"
        px={{ base: "4", sm: "6" }}
        py="5"
        css={{ ...betweenBars, [tooLow]: { flex: "none", overflowY: "visible" } }}
        outline="0"
        focusVisibleRing="inside"
        {...(isStop && { role: "group", "aria-labelledby": titleId, tabIndex: 0 })}
      >
        <div>{children}</div>
      </chakra.div>
      {isAsking ? (
        <Modal
          title="Discard changes?"
          onClose={() => setIsAsking(false)}
          actions={
            <>
              <Button variant="outline" onClick={() => setIsAsking(false)}>
                Keep editing
              </Button>
              <Button
                colorPalette="red"
                onClick={() => {
                  stopAsking(setIsAsking);
                  onClose();
                }}
              >
                Discard
              </Button>
            </>
          }
        >
          {unsaved}
        </Modal>
      ) : null}
    </chakra.dialog>
  );
};
