import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type ListedTool, tools } from "@vitaline/contract";
import { useState } from "react";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Failure } from "../../components/feedback/alerts.tsx";
import { ChoiceField } from "../../components/form/fields.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { fieldsOf } from "../tools/schema-fields.ts";
import { ToolForm } from "../tools/tool-form.tsx";
import type { ArgumentTexts } from "../tools/typed-arguments.ts";
import { CallerBox } from "./caller-box.tsx";
import type { Platform } from "./platform-agent.ts";
import { TestDialogue } from "./test-dialogue.tsx";
import { useBrowserCall } from "./use-browser-call.ts";
import { WriteConfirmation } from "./write-confirmation.tsx";

type Props = { platform: Platform; platformName: string };

/** A call without a phone: the user types what a caller says, or chooses the tools that the platform's model would choose. */
export const BrowserCall = ({ platform, platformName }: Props) => {
  const { user } = useAuth();
  const { current, begin, use, say, end } = useBrowserCall(platform, user?.tenantId ?? "");
  const isCalling = current !== undefined && !current.isOver;
  return (
    <Panel
      title="Test call in the browser"
      description={`Type what a caller says, or choose a tool. Each tool goes to the same address, in the same form and with the same key as from an agent at ${platformName}.`}
    >
      <Stack gap="5">
        <Alert.Root status="info">
          <Alert.Description>
            {`It shows that your key, your record system and the tools work together. It is not a phone call: no speech, no language model and no request of ${platformName} itself, so only your first real call tests what you have set up there. A booking or another change in your record system is made for real, with a note that it is a test where the system keeps one. No text, email or one-time code is sent, and your to-do list, leads, totals and webhooks stay as they are, even where the agent says otherwise.`}
          </Alert.Description>
        </Alert.Root>
        {user?.viewAs ? (
          <Text color="fg.muted">Test calls use the organization&apos;s key, which is not read while you view as the tenant.</Text>
        ) : isCalling ? null : (
          <Button alignSelf="flex-start" aria-disabled={begin.isBusy} onClick={() => begin.run()}>
            {begin.isBusy ? "Starting..." : current ? "Start another test call" : "Start test call"}
          </Button>
        )}
        <Failure text={begin.failure} />
        {current ? <TestDialogue turns={current.turns} isOver={current.isOver} /> : null}
        {isCalling ? (
          <>
            <CallerBox open={current.open} isBusy={say.isBusy} failure={say.failure} onSay={say.run} />
            <Heading as="h3" size="sm">
              Or choose the tool yourself
            </Heading>
            <Failure text={use.failure} />
            <ToolPicker isBusy={use.isBusy} onUse={use.run} />
            <Failure text={end.failure} />
            <Button alignSelf="flex-start" variant="outline" aria-disabled={end.isBusy} onClick={() => end.run()}>
              {end.isBusy ? "Ending..." : "End test call"}
            </Button>
          </>
        ) : null}
        {current?.isOver ? (
          <TextLink to={`/tenant?tab=analytics&call=${current.id}`}>Open it in the list of calls, where it is marked as a test</TextLink>
        ) : null}
      </Stack>
    </Panel>
  );
};

type PickerProps = { isBusy: boolean; onUse: (name: string, values: Record<string, unknown>) => void };

const ToolPicker = (props: PickerProps) => {
  const listed = useApi(tools.listTools, {});
  return (
    <Loadable loaded={listed} what="tools" skeleton={<RowSkeletons />}>
      {(list) => <ToolChoice list={list} {...props} />}
    </Loadable>
  );
};

/** Reads and needs no identity, so it works at once. */
const firstTool = "getFhirProviders";

const ToolChoice = ({ list, isBusy, onUse }: PickerProps & { list: readonly ListedTool[] }) => {
  const [chosen, setChosen] = useState(firstTool);
  const [typed, setTyped] = useState<ArgumentTexts>({});
  const [unconfirmed, setUnconfirmed] = useState<Record<string, unknown>>();
  const tool = list.find(({ name }) => name === chosen) ?? list[0];
  if (!tool) return null;
  return (
    <Stack gap="5">
      <ChoiceField
        label="What the agent does next"
        error={undefined}
        options={list.map(({ name, title }) => ({ value: name, label: `${title} (${name})` }))}
        value={tool.name}
        onChange={({ target }) => {
          setChosen(target.value);
          setTyped({});
        }}
      />
      <ToolForm
        key={tool.name}
        tool={tool.name}
        fields={fieldsOf(tool.inputSchema)}
        typed={typed}
        isBusy={isBusy}
        onType={(path, text) => setTyped((before) => ({ ...before, [path]: text }))}
        onRun={(values) => (tool.effect === "write" ? setUnconfirmed(values) : onUse(tool.name, values))}
      />
      {unconfirmed ? (
        <WriteConfirmation
          title={tool.title}
          isBusy={isBusy}
          onConfirm={() => {
            setUnconfirmed(undefined);
            onUse(tool.name, unconfirmed);
          }}
          onCancel={() => setUnconfirmed(undefined)}
        />
      ) : null}
    </Stack>
  );
};
