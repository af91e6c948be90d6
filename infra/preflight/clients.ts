import { ACMClient } from "@aws-sdk/client-acm";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { PinpointSMSVoiceV2Client } from "@aws-sdk/client-pinpoint-sms-voice-v2";
import { Route53Client } from "@aws-sdk/client-route-53";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { SNSClient } from "@aws-sdk/client-sns";
import { STSClient } from "@aws-sdk/client-sts";
import type { Settings } from "../config/settings.ts";

/** AWS clients of the account that the credentials of the environment belong to. */
export const clientsIn = (region: string) => ({
  acm: new ACMClient({ region }),
  lambda: new LambdaClient({ region }),
  texts: new PinpointSMSVoiceV2Client({ region }),
  route53: new Route53Client({ region }),
  ses: new SESv2Client({ region }),
  sns: new SNSClient({ region }),
  sts: new STSClient({ region }),
});
export type Clients = ReturnType<typeof clientsIn>;

/** One sentence for each thing that is missing: what, and what to do. Reads only. */
export type Check = (clients: Clients, settings: Settings) => Promise<string[]>;

/** The answer, or undefined when AWS knows nothing of that name. */
export async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (/^(ResourceNotFound|NotFound|NoSuchHostedZone)/.test((error as Error).name)) return undefined;
    throw error;
  }
}
