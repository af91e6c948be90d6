import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { callWork, type ListedCall, maxFollowUps } from "@vitaline/contract";
import * as z from "zod/mini";
import { Failure } from "../../../components/feedback/alerts.tsx";
import { TextField } from "../../../components/form/fields.tsx";
import { call } from "../../../lib/api/call.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { formatCount } from "../../../lib/format/numbers.ts";
import { announce } from "../../../lib/toast.ts";

type Props = {
  selected: readonly ListedCall[];
  onChanged: (call: ListedCall) => void;
  /** Some were changed by another user: the list is out of date. */
  onOutdated: () => void;
  onClear: () => void;
};

const Note = z.object({ note: callWork.followUpCalls.body.shape.note });
const calls = (count: number): string => `${formatCount(count)} ${count === 1 ? "call" : "calls"}`;

/** Marks the selected calls as followed up, with one note. */
export const FollowUpBar = ({ selected, onChanged, onOutdated, onClear }: Props) => {
  const { field, submit, isBusy, failure } = useRequestForm<z.input<typeof Note>, z.output<typeof Note>>({
    schema: Note,
    defaultValues: { note: "" },
    send: async ({ note }) => {
      const seen = selected.map(({ id, version }) => ({ id, version }));
      const results = await call(callWork.followUpCalls, { body: { calls: seen, note } });
      const done = results.flatMap((result) => result.call ?? []);
      for (const changed of done) onChanged(changed);
      if (done.length < results.length) onOutdated();
      onClear();
      announce(
        done.length === results.length
          ? { type: "success", title: `${calls(done.length)} marked as followed up` }
          : {
              type: "error",
              title: `${formatCount(done.length)} of ${calls(results.length)} marked as followed up`,
              description: "The others have changed in the meantime. The list shows them as they are now; check them and try again.",
            },
      );
    },
  });
  return (
    <chakra.form
      noValidate
      aria-label="Follow up the selected calls"
      p="4"
      mt="4"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="l2"
      boxShadow="md"
      css={{ "@media (min-width: 48rem) and (min-height: 40rem)": { position: "sticky", bottom: "4", zIndex: "docked" } }}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Failure text={failure} />
      <chakra.output display="block" fontWeight="semibold" mb="3">
        {`${calls(selected.length)} selected${selected.length === maxFollowUps ? `, the maximum` : ""}`}
      </chakra.output>
      <TextField
        label="Note"
        isOptional
        hint="Applies to all selected calls. It is stored encrypted because it may name a patient."
        maxLength={500}
        autoComplete="off"
        {...field("note")}
      />
      <Flex gap="3" wrap="wrap" mt="4">
        <Button type="submit" aria-disabled={isBusy}>
          {isBusy ? "Saving..." : "Mark as followed up"}
        </Button>
        <Button variant="outline" aria-disabled={isBusy} onClick={() => isBusy || onClear()}>
          Clear selection
        </Button>
      </Flex>
    </chakra.form>
  );
};
