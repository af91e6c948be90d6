import { randomUUID } from "node:crypto";
import { AwsError } from "../aws/http/respond.ts";
import { xml } from "../aws/s3/xml.ts";
import type { Answer, Service, ServiceCall } from "../aws/types.ts";
import type { Stack } from "../template/assembly.ts";
import type { Stacks } from "./stacks.ts";

/** DescribeStacks, and UpdateStack of parameters alone. Source: AWS CloudFormation API reference. */
export const cloudFormationApi =
  (stacks: Stacks): Service =>
  async (call) => {
    try {
      const form = new URLSearchParams(call.body.toString());
      const name = form.get("StackName") ?? "";
      const stack = stacks.find(name);
      if (!stack) throw new AwsError(400, "ValidationError", `Stack with id ${name} does not exist`);
      return answer(form, stack, stacks, call);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const { code: Code, message: Message, status } = error;
      return { ...asXml(xml("ErrorResponse", { Error: { Type: "Sender", Code, Message }, RequestId: randomUUID() })), status };
    }
  };

const asXml = (body: string): Answer => ({ headers: { "content-type": "text/xml" }, body });

function answer(form: URLSearchParams, stack: Stack, stacks: Stacks, { authorize }: ServiceCall): Answer {
  const operation = form.get("Action") ?? "";
  const id = `arn:aws:cloudformation:${stack.region}:${stack.account}:stack/${stack.name}/local`;
  authorize({ action: `cloudformation:${operation}`, resource: id });
  switch (operation) {
    case "DescribeStacks":
      return asXml(xml("DescribeStacksResponse", { DescribeStacksResult: { Stacks: { member: described(stack, stacks, id) } } }));
    case "UpdateStack":
      update(form, stack, stacks);
      return asXml(xml("UpdateStackResponse", { UpdateStackResult: { StackId: id } }));
    default:
      throw new AwsError(400, "InvalidAction", `The operation ${operation} is not supported here`);
  }
}

const described = (stack: Stack, stacks: Stacks, StackId: string) => ({
  StackId,
  StackName: stack.name,
  CreationTime: new Date(0).toISOString(),
  StackStatus: "UPDATE_COMPLETE",
  Parameters: {
    member: Object.entries(stacks.parametersOf(stack)).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue })),
  },
  Outputs: { member: Object.entries(stacks.outputsOf(stack)).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })) },
});

function update(form: URLSearchParams, stack: Stack, stacks: Stacks): void {
  if (form.get("UsePreviousTemplate") !== "true") throw new AwsError(400, "ValidationError", "Only parameters can be updated here");
  const before = stacks.parametersOf(stack);
  const given = Object.keys(before).map((_, at) => {
    const member = (field: string): string => form.get(`Parameters.member.${at + 1}.${field}`) ?? "";
    const name = member("ParameterKey");
    return [name, member("UsePreviousValue") === "true" ? (before[name] ?? "") : member("ParameterValue")] as const;
  });
  const parameters = Object.fromEntries(given);
  if (Object.keys(before).some((name) => parameters[name] === undefined))
    throw new AwsError(400, "ValidationError", "Parameters must have values");
  if (JSON.stringify(parameters) === JSON.stringify(before)) throw new AwsError(400, "ValidationError", "No updates are to be performed.");
  try {
    stacks.update(stack, parameters);
  } catch (error) {
    throw new AwsError(400, "ValidationError", (error as Error).message);
  }
}
