import { Alert } from "@chakra-ui/react/alert";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import type { ListedTool } from "@vitaline/contract";
import { useState } from "react";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { CurlCommand } from "./curl-command.tsx";
import { RunQuestion } from "./run-question.tsx";
import { fieldsOf } from "./schema-fields.ts";
import { TestCall } from "./test-call.tsx";
import { ToolFacts } from "./tool-facts.tsx";
import { ToolForm } from "./tool-form.tsx";
import { readArguments, type Typed } from "./typed-arguments.ts";
import { useTestCall } from "./use-test-call.ts";

const nothing: Typed = {};

/** A tool's form beside what came of it. The address names the tool; what is typed for each tool stays while the page does. */
export const ToolTest = ({ tools }: { tools: readonly ListedTool[] }) => {
  const [named, setNamed] = useSearchValue("tool");
  // Beside the address, which follows a little later: what is run is what was chosen.
  const [chosen, setChosen] = useState(named);
  const [typedFor, setTypedFor] = useState<Record<string, Typed>>({});
  const testCall = useTestCall();
  const tool = tools.find((one) => one.name === chosen) ?? tools[0]!;
  const typed = typedFor[tool.name] ?? nothing;
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
            Runs against your record system: what a tool changes is changed there, and messages are really sent. Every run is audited; none
            enters your metrics.
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
      <RunQuestion testCall={testCall} />
    </SimpleGrid>
  );
};
