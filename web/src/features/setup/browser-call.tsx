import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type ListedTool, tools } from "@vitaline/contract";
import { useState } from "react";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Announcement, Failure } from "../../components/feedback/notices.tsx";
import { ChoiceField } from "../../components/form/fields.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { fieldsOf } from "../tools/schema-fields.ts";
import { ToolForm } from "../tools/tool-form.tsx";
import type { ArgumentTexts } from "../tools/typed-arguments.ts";
import type { Platform } from "./platform-agent.ts";
import { useBrowserCall } from "./use-browser-call.ts";

type Props = { platform: Platform; platformName: string };

/** A call without a phone: the user chooses the tools that the platform's model would choose. */
export const BrowserCall = ({ platform, platformName }: Props) => {
  const { user } = useAuth();
  const { current, begin, use, end } = useBrowserCall(platform, user?.tenantId ?? "");
  const isCalling = current !== undefined && !current.isOver;
  return (
    <Panel
      title="Test call in the browser"
      description={`Each tool you choose goes to the same address, in the same form and with the same key as from an agent at ${platformName}.`}
    >
      <Stack gap="5">
        <Alert.Root status="info">
          <Alert.Description>
            {`It shows that your key, your record system and the tools work together. It is not a phone call: no speech, no language model and no request of ${platformName} itself, so what you have set up there is tried by your first real call only. A booking or another change in your record system is made for real, as a test where it has room for a note. Nothing else leaves the test: no text or email is sent, also no one-time code, and nothing is added to your to-do list, leads, totals or webhooks, even where the agent says so.`}
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
        {current ? <Dialogue turns={current.turns} isOver={current.isOver} /> : null}
        {isCalling ? (
          <>
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

type DialogueProps = {
  turns: readonly { count: number; name: string; speech: string; ms: number }[];
  isOver: boolean;
};

const Dialogue = ({ turns, isOver }: DialogueProps) => {
  const last = turns.at(-1);
  return (
    <>
      <Announcement text={isOver ? "The test call has ended." : last ? `${last.name}: ${last.speech}` : "The test call has begun."} />
      {turns.length === 0 ? (
        <Text color="fg.muted">{isOver ? "No tool was used." : "The call has begun. Choose what the agent does first."}</Text>
      ) : (
        <chakra.ol listStyleType="none" display="grid" gap="4" aria-label="Test call">
          {turns.map(({ count, name, speech, ms }) => (
            <li key={count}>
              <Flex gap="3" wrap="wrap" textStyle="sm" color="fg.muted">
                <span>{`The agent uses ${name}`}</span>
                <span>{formatMilliseconds(ms)}</span>
              </Flex>
              <chakra.blockquote m="0" mt="1" ps="4" borderInlineStartWidth="3px" borderColor="teal.solid" overflowWrap="anywhere">
                {speech}
              </chakra.blockquote>
            </li>
          ))}
        </chakra.ol>
      )}
    </>
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
        <Confirmation
          title="Change it for real?"
          action="Run tool"
          busyAction="Running..."
          isBusy={isBusy}
          isDangerous
          onConfirm={() => {
            setUnconfirmed(undefined);
            onUse(tool.name, unconfirmed);
          }}
          onCancel={() => setUnconfirmed(undefined)}
        >
          {`${tool.title} can change the patient’s record in your record system, and that is not undone when the test call ends. It sends no text or email, and adds nothing to your lists.`}
        </Confirmation>
      ) : null}
    </Stack>
  );
};
