import { type ListedTool, tools } from "@vitaline/contract";
import Wrench from "lucide-react/dist/esm/icons/wrench.mjs";
import { Alert } from "@chakra-ui/react/alert";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { useState } from "react";
import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import { useApi } from "../../lib/api/use-api.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { CurlCommand } from "./curl-command.tsx";
import { fieldsOf } from "./schema-fields.ts";
import { TestCall } from "./test-call.tsx";
import { ToolForm } from "./tool-form.tsx";
import { readArguments, type ArgumentTexts } from "./typed-arguments.ts";
import { type TestCallState, useTestCall } from "./use-test-call.ts";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { toolTitle } from "../../lib/format/labels.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";

const ToolConsole = () => {
  const listed = useApi(tools.listTools, {});
  return (
    <Panel
      title="Test a tool"
      description="Runs a tool as an agent does in a call, and shows what the caller would hear and what the agent’s model would see."
    >
      <Loadable loaded={listed} what="tools" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={Wrench} title="No tools available" description="Tools appear here once your agents can use some." />
          ) : (
            <ToolTester tools={list} />
          )
        }
      </Loadable>
    </Panel>
  );
};

const noTexts: ArgumentTexts = {};

const ToolTester = ({ tools }: { tools: readonly ListedTool[] }) => {
  const [named, setNamed] = useSearchValue("tool");
  // The URL updates later than the selection, and a run needs the selected tool.
  const [chosen, setChosen] = useState(named);
  const [typedFor, setTypedFor] = useState<Record<string, ArgumentTexts>>({});
  const testCall = useTestCall();
  const tool = tools.find((one) => one.name === chosen) ?? tools[0]!;
  const typed = typedFor[tool.name] ?? noTexts;
  const fields = fieldsOf(tool.inputSchema);

  const choose = (one: string) => {
    setChosen(one);
    setNamed(one);
  };
  const type = (path: string, text: string) =>
    setTypedFor((before) => ({ ...before, [tool.name]: { ...before[tool.name], [path]: text } }));

  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap={{ base: "8", lg: "10" }} alignItems="start">
      <Stack gap="5" minW="0">
        <Alert.Root status="info">
          <Alert.Description>
            Runs against your record system: what a tool writes there is real. Messages and codes to patients are not sent, and your staff
            get no task, lead or webhook event. Every run is audited; none enters your metrics.
          </Alert.Description>
        </Alert.Root>
        <ChoiceField
          label="Tool"
          error={undefined}
          options={tools.map(({ name, title }) => ({ value: name, label: `${title} (${name})` }))}
          value={tool.name}
          onChange={({ target }) => choose(target.value)}
        />
        <ToolFacts tool={tool} />
        <ToolForm
          key={tool.name}
          tool={tool.name}
          fields={fields}
          typed={typed}
          isBusy={testCall.isBusy}
          onType={type}
          onRun={(values) => testCall.run({ name: tool.name, values })}
        />
      </Stack>
      <Stack gap="8" minW="0">
        <TestCall testCall={testCall} />
        <CurlCommand
          curl={{
            callId: testCall.callId,
            toolCallId: `${testCall.callId}-${testCall.runs.length + 1}`,
            name: tool.name,
            values: readArguments(fields, typed).values,
          }}
        />
      </Stack>
      <RunConfirmation testCall={testCall} />
    </SimpleGrid>
  );
};

const identities: Record<ListedTool["level"], string> = {
  0: "No identity needed",
  1: "Verified caller",
  2: "Caller verified twice",
};
const identityHints: Record<ListedTool["level"], string> = {
  0: "It can run before the caller is verified.",
  1: "Run “Verify patient identity” first: name, birth date and one more fact on file.",
  2: "Run “Verify patient identity” first: name, birth date and two more facts on file.",
};

const ToolFacts = ({ tool }: { tool: ListedTool }) => (
  <Flex direction="column" gap="2">
    <Flex gap="2" wrap="wrap">
      <Badge colorPalette={tool.effect === "write" ? "orange" : "blue"}>
        {tool.effect === "write" ? "Can change something" : "Only reads"}
      </Badge>
      <Badge colorPalette={tool.level === 0 ? "gray" : "teal"}>{identities[tool.level]}</Badge>
    </Flex>
    <Text textStyle="sm" color="fg.muted">
      {identityHints[tool.level]}
    </Text>
    <Disclosure title="Description for agents">
      <Text color="fg.muted">{tool.description}</Text>
    </Disclosure>
  </Flex>
);

const RunConfirmation = ({ testCall: { unconfirmed, isBusy, confirm, cancel } }: { testCall: TestCallState }) =>
  unconfirmed ? (
    <Confirmation
      title="Change it for real?"
      action="Run tool"
      busyAction="Running..."
      isBusy={isBusy}
      isDangerous
      onConfirm={confirm}
      onCancel={cancel}
    >
      {`With these arguments “${toolTitle(unconfirmed.name)}” (${unconfirmed.name}) changes something in a call. In a test, what it writes to your record system is real; it sends no message, and leaves no task or lead.`}
    </Confirmation>
  ) : null;

export default ToolConsole;
