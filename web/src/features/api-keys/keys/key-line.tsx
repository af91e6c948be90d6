import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import Eye from "lucide-react/dist/esm/icons/eye.mjs";
import EyeOff from "lucide-react/dist/esm/icons/eye-off.mjs";
import type { ApiKey } from "@vitaline/contract";
import { announce } from "../../../lib/toast.ts";
import { CopyButton } from "../../../components/data/copy-button.tsx";
import { readKey } from "./regenerate.ts";
import { DateTime } from "../../../components/data/text.tsx";

const mask = "•".repeat(32);

type Props = {
  /** Reads the key to copy it while it is hidden. */
  read?: () => Promise<string>;
  copied?: string;
  onCopied: () => void;
  /** undefined while hidden */
  apiKey: string | undefined;
  isReading: boolean;
  onShow: () => void;
  onHide: () => void;
};

export const KeyLine = ({ read = readKey, copied, onCopied, apiKey, isReading, onShow, onHide }: Props) => {
  const isShown = apiKey !== undefined;
  return (
    <div>
      <Flex direction={{ base: "column", md: "row" }} align={{ base: "stretch", md: "flex-start" }} gap="3">
        <chakra.code
          {...(isShown ? {} : { role: "img", "aria-label": "API key, hidden" })}
          flex="1"
          minW="0"
          px="4"
          py="2"
          bg="bg.subtle"
          borderWidth="1px"
          borderColor="border"
          borderRadius="l2"
          fontFamily="mono"
          textStyle="sm"
          overflowWrap="anywhere"
          userSelect={isShown ? "all" : "none"}
        >
          {apiKey ?? mask}
        </chakra.code>
        <Flex gap="2">
          <Button size="sm" variant="outline" aria-disabled={isReading} onClick={isShown ? onHide : onShow}>
            {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            {isShown ? "Hide" : isReading ? "Showing..." : "Show"}
            <chakra.span srOnly>{" API key"}</chakra.span>
          </Button>
          <CopyButton
            what="API key"
            text={apiKey ?? read}
            {...(copied === undefined ? {} : { copied })}
            onCopied={onCopied}
            onRefused={() => announce({ type: "error", title: "Copy Failed", description: "Failed to copy API key to clipboard." })}
          />
        </Flex>
      </Flex>
      <chakra.p textStyle="sm" color="fg.muted" mt="2">
        {isShown
          ? "It is hidden again after 60 seconds, and as soon as you leave this browser tab."
          : "Showing or copying the key is recorded in the audit log."}
      </chakra.p>
    </div>
  );
};

export const CurrentKey = ({ current: { last4, createdAt, lastUsedAt } }: { current: ApiKey }) => (
  <>
    {`Ending in ${last4}, created `}
    <DateTime at={createdAt} />
    {lastUsedAt === null ? ", never used" : ", last used "}
    {lastUsedAt === null ? null : <DateTime at={lastUsedAt} />}
  </>
);
