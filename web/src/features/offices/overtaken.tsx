import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import type { OfficeFormState } from "./use-office-form.ts";

/** Says that somebody else was faster, and offers both ways on. */
export const Overtaken = ({ office: { isOvertaken, saveOverTheirs, takeTheirs } }: { office: OfficeFormState }) =>
  isOvertaken ? (
    <Alert.Root status="warning" role="alert" flexDirection="column">
      <Alert.Content>
        <Alert.Title>Somebody else has changed this office in the meantime</Alert.Title>
        <Alert.Description>What you typed is still here and has not been saved.</Alert.Description>
      </Alert.Content>
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <Button size="sm" variant="outline" aria-disabled={saveOverTheirs.isBusy} onClick={saveOverTheirs.run}>
          {saveOverTheirs.isBusy ? "Saving..." : "Save my changes over theirs"}
        </Button>
        <Button size="sm" variant="outline" aria-disabled={takeTheirs.isBusy} onClick={takeTheirs.run}>
          {takeTheirs.isBusy ? "Loading..." : "Discard mine and show theirs"}
        </Button>
      </chakra.div>
    </Alert.Root>
  ) : null;
