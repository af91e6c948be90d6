import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Failure } from "../feedback/alerts.tsx";
import { Modal } from "./modal.tsx";

type Props = {
  title: string;
  children: ReactNode;
  /** The label of the confirming button. */
  action: string;
  busyAction: string;
  /** The label of the canceling button. */
  keep?: string;
  isBusy: boolean;
  /** The reason of a failure. A toast would be hidden behind the dialog. */
  failure?: string | undefined;
  isDangerous?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

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
