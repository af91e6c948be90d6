import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Moment } from "../../components/data/text.tsx";

/** Whether there is one. */
export const AddressSince = ({ createdAt }: { createdAt: string | null }) => (
  <chakra.p textStyle="sm">
    {createdAt === null ? (
      "The calendar has no address yet."
    ) : (
      <>
        The calendar has an address since <Moment at={createdAt} />.
      </>
    )}
  </chakra.p>
);

/** The address, as long as it is shown; all of it is in sight. */
export const ShownAddress = ({ address, onCopied }: { address: string; onCopied: () => void }) => (
  <Stack gap="2" w="full" css={{ "& pre": { whiteSpace: "pre-wrap", overflowWrap: "anywhere" } }}>
    <CodeBlock label="Calendar address" text={address} onCopied={onCopied} />
    <chakra.p textStyle="sm" fontWeight="medium">
      Copy it now: it is not shown again.
    </chakra.p>
  </Stack>
);
