import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Failure } from "../feedback/notices.tsx";
import { Modal } from "./modal.tsx";

type Props = {
  title: string;
  /** What happens if one agrees. */ children: ReactNode;
  /** As on the button that agrees. */ action: string;
  busyAction: string;
  /** As on the button that does nothing. */ keep?: string;
  isBusy: boolean;
  /** Why it was refused; a toast would stand behind the question. */ failure?: string | undefined;
  /** It takes something away. */ isDangerous?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before something that cannot be undone. */
export const Confirmation = ({
  title,
  children,
  action,
  busyAction,
  keep = "Cancel",
  isBusy,
  failure,
  isDangerous = false,
  onConfirm,
  onCancel,
}: Props) => (
  <Modal
    title={title}
    onClose={() => isBusy || onCancel()}
    actions={
      <>
        <Button variant="outline" aria-disabled={isBusy} onClick={() => isBusy || onCancel()}>
          {keep}
        </Button>
        <Button colorPalette={isDangerous ? "red" : "teal"} aria-disabled={isBusy} onClick={() => isBusy || onConfirm()}>
          {isBusy ? busyAction : action}
        </Button>
      </>
    }
  >
    {children}
    {failure === undefined ? null : (
      <chakra.div mt="4">
        <Failure text={failure} />
      </chakra.div>
    )}
  </Modal>
);
