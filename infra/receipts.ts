import { Stack } from "aws-cdk-lib";
import type { Data } from "./stacks/data.ts";

/** The configuration set of a stage, at SES and at AWS End User Messaging: what is sent under it is told of. By name, as functions come later. */
export const receiptsSetName = ({ settings }: Data): string => `vitaline-${settings.stage}`;

export const receiptsSetArn = (service: "ses" | "sms-voice", data: Data): string =>
  Stack.of(data).formatArn({ service, resource: "configuration-set", resourceName: receiptsSetName(data) });
