import { chakra, type HTMLChakraProps } from "@chakra-ui/react/styled-system";
import { toolTitle } from "../../lib/format/labels.ts";
import { BreakableName } from "./text.tsx";

/** A tool's name for developers. */
export const ToolCode = ({ name, ...rest }: { name: string } & HTMLChakraProps<"code">) => (
  <chakra.code
    fontFamily="mono"
    textStyle="xs"
    fontWeight="normal"
    color="fg.muted"
    display="inline-block"
    maxW="100%"
    overflowWrap="anywhere"
    {...rest}
  >
    <BreakableName name={name} />
  </chakra.code>
);

/** A tool in words, with its name for developers beside it. */
export const ToolName = ({ name }: { name: string }) => (
  <>
    {toolTitle(name)} <ToolCode name={name} />
  </>
);
