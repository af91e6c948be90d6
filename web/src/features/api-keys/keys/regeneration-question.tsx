import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import type { ApiKey } from "@vitaline/contract";
import { useState } from "react";
import { ChoiceField } from "../../../components/form/fields.tsx";
import { Confirmation } from "../../../components/dialog/confirmation.tsx";
import { Refusal } from "../../../components/feedback/alerts.tsx";
import { useZone } from "../../../lib/format/times.ts";
import { oldKeyExpiry, overlapOptions, timeLeft, useNow, regenerationWarning } from "./key-overlap.ts";

type Props = {
  keys: readonly ApiKey[] | undefined;
  isBusy: boolean;
  failure: unknown;
  onConfirm: (overlapSeconds: number) => void;
  onCancel: () => void;
};

export const RegenerationConfirmation = ({ keys = [], isBusy, failure, onConfirm, onCancel }: Props) => {
  const zone = useZone();
  const [overlap, setOverlap] = useState("0");
  const now = useNow(() => true);
  const alsoEnding = keys.find(
    ({ status, notAfter }) => status === "retiring" && notAfter !== null && timeLeft(notAfter, now) !== undefined,
  );
  return (
    <Confirmation
      title="Regenerate API key?"
      action="Regenerate API Key"
      busyAction="Regenerating..."
      isBusy={isBusy}
      isDangerous
      onConfirm={() => onConfirm(Number(overlap))}
      onCancel={onCancel}
    >
      <Stack gap="4">
        <Text>{`Are you sure you want to regenerate the API key? ${regenerationWarning(Number(overlap))}`}</Text>
        <ChoiceField
          label="Old key stops working"
          options={overlapOptions}
          value={overlap}
          onChange={({ target }) => setOverlap(target.value)}
          hint={oldKeyExpiry(Number(overlap), now, zone)}
          error={undefined}
        />
        {alsoEnding ? (
          <Text>{`The former key ending in ${alsoEnding.last4} still works. It stops immediately, regardless of this choice.`}</Text>
        ) : null}
        {failure === undefined ? null : <Refusal title="Failed to regenerate API key. Please try again." error={failure} />}
      </Stack>
    </Confirmation>
  );
};
