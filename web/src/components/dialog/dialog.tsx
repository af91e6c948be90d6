import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Heading } from "@chakra-ui/react/heading";
import X from "lucide-react/dist/esm/icons/x.mjs";
import { leaveUnasked, useLeaveGuard } from "../../lib/routing/unsaved-changes.ts";
import { Modal } from "./modal.tsx";
import { useScrollStop } from "../../lib/dom/scroll.ts";

/** As high as a dialog's footer and its tabs, and a little more. */
export const footerRoom = "24";
export const tabsRoom = "20";

/** Of a dialog's content: what takes the focus is scrolled to where neither tabs nor footer cover it. */
const betweenBars = {
  "&:has([data-dialog-footer])": { scrollPaddingBottom: footerRoom },
  "&:has([data-dialog-tabs])": { scrollPaddingTop: tabsRoom },
} as const;

type DialogHeaderProps = {
  title: string;
  titleId: string;
  description: string | undefined;
  textId: string;
  /** The button that closes it bears its name. */ namesClose: boolean;
  onClose: () => void;
};

/** What a dialog is, and the way out of it, however long its name. */
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
  /** Something was typed that closing would lose, so it asks first. */ isDirty?: boolean;
  /** What that is, in a sentence. */ unsaved?: string;
  /** The button that closes it bears its name, for what is looked at more than filled in. */ namesClose?: boolean;
  onClose: () => void;
  children: ReactNode;
};

const widths = { md: "lg", lg: "3xl", xl: "5xl" };

/** A part of the page in front of it: the browser's own dialog, which holds the focus and gives it back. The first field or button of its content takes the focus. */
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
  // Closed while it is still on the page, so that the focus goes back to where it came from.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    content.current?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea, button, [tabindex='0']")?.focus();
    return () => {
      // What asks in front of it first: beneath that, nothing takes the focus.
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
      css={{ "&[open]": { display: "flex" } }}
      _backdrop={{ bg: "black/60" }}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === dialog.current) leave();
      }}
      onClose={({ target }) => {
        // Browsers let nobody prevent a second Escape, or one before anything else was pressed.
        if (target !== dialog.current || dialog.current.open) return;
        dialog.current.showModal();
        const inner = dialog.current.querySelector<HTMLDialogElement>("dialog[open]");
        if (inner === null) return leave();
        // What asks in front of it was meant, and has to stand in front again.
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
        css={betweenBars}
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
                  leaveUnasked(setIsAsking);
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
