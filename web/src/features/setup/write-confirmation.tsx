import { Confirmation } from "../../components/dialog/confirmation.tsx";

type Props = { title: string; isBusy: boolean; onConfirm: () => void; onCancel: () => void };

export const WriteConfirmation = ({ title, ...props }: Props) => (
  <Confirmation title="Change it for real?" action="Run tool" busyAction="Running..." isDangerous {...props}>
    {`${title} can change the patient’s record in your record system, and that is not undone when the test call ends. It sends no text or email, and adds nothing to your lists.`}
  </Confirmation>
);
