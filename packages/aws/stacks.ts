import { CloudFormationClient, DescribeStacksCommand, type Stack, UpdateStackCommand } from "@aws-sdk/client-cloudformation";
import { pause } from "@vitaline/core";

let client: CloudFormationClient | undefined;
const cloudFormation = (): CloudFormationClient => (client ??= new CloudFormationClient({ maxAttempts: 5 }));

async function readStack(name: string): Promise<Stack> {
  const { Stacks: [stack] = [] } = await cloudFormation().send(new DescribeStacksCommand({ StackName: name }));
  if (!stack) throw new Error(`There is no stack ${name}`);
  return stack;
}

export async function stackOutputs(name: string): Promise<Record<string, string>> {
  const { Outputs = [] } = await readStack(name);
  return Object.fromEntries(Outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]));
}

const pollMs = 5000;

/** Changes one parameter of a deployed stack, without another change, and waits until the stack is updated. */
export async function setStackParameter(name: string, parameter: string, value: string): Promise<void> {
  const { Parameters = [] } = await readStack(name);
  const before = Parameters.find(({ ParameterKey }) => ParameterKey === parameter);
  if (!before) throw new Error(`The stack ${name} has no parameter ${parameter}: deploy it first`);
  if (before.ParameterValue !== value)
    await cloudFormation().send(
      new UpdateStackCommand({
        StackName: name,
        UsePreviousTemplate: true,
        Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
        Parameters: Parameters.map(({ ParameterKey }) =>
          ParameterKey === parameter ? { ParameterKey, ParameterValue: value } : { ParameterKey, UsePreviousValue: true },
        ),
      }),
    );
  for (let status = await statusOf(name); !status.endsWith("UPDATE_COMPLETE"); status = await statusOf(name)) {
    if (status.includes("ROLLBACK") || status.includes("FAILED")) throw new Error(`The stack ${name} was not updated: ${status}`);
    await pause(pollMs);
  }
}

const statusOf = async (name: string): Promise<string> => (await readStack(name)).StackStatus ?? "";
