import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { Modal } from "../components/modal.tsx";
import { useAuth } from "./auth.tsx";
import { useIdleness } from "./use-idleness.ts";

/** Signs out who has left the screen, after a minute's warning. */
export const IdleWatch = () => {
  const { signOut, signOutIdle } = useAuth();
  const { idleness, stay } = useIdleness(signOutIdle);
  if (idleness.phase !== "warned") return null;
  return (
    <Modal
      title="Are you still there?"
      onClose={stay}
      actions={
        <>
          <Button onClick={stay}>Stay signed in</Button>
          <Button variant="outline" onClick={signOut}>
            Logout
          </Button>
        </>
      }
    >
      Nothing has happened here for a while. To protect patient data you will be signed out in{" "}
      <chakra.span role="timer" color="fg" fontWeight="semibold" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
        {`${idleness.secondsLeft} ${idleness.secondsLeft === 1 ? "second" : "seconds"}`}
      </chakra.span>
      .
    </Modal>
  );
};
