import * as z from "zod/mini";
import { authorize, type Caller } from "../iam/authorize.ts";
import { AwsError, jsonAnswer } from "../http/respond.ts";
import { readJson } from "../http/request.ts";
import { textEvents, textFate, type TextStore } from "../sms/text-store.ts";
import { isKnown, type Publish, publishEvents } from "../sns/configuration-sets.ts";
import type { Answer } from "../types.ts";

const Number164 = z.string().check(z.regex(/^\+[1-9]\d{6,14}$/));
const SendTextMessage = z.strictObject({
  DestinationPhoneNumber: Number164,
  OriginationIdentity: z.string().check(z.minLength(1)),
  MessageBody: z.string().check(z.minLength(1), z.maxLength(1600)),
  MessageType: z.optional(z.enum(["TRANSACTIONAL", "PROMOTIONAL"])),
  ConfigurationSetName: z.optional(z.string()),
  Context: z._default(z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(800))), {}),
});
const OneNumber = z.strictObject({ OptOutListName: z.string().check(z.minLength(1)), OptedOutNumber: Number164 });
const Numbers = z.strictObject({
  OptOutListName: z.string().check(z.minLength(1)),
  OptedOutNumbers: z._default(z.array(Number164), []),
  NextToken: z.optional(z.string()),
  MaxResults: z.optional(z.number()),
});

const defaultOptOutList = "Default";

type Asked = { caller: Caller; operation: string; body: Buffer; publish: Publish };

/**
 * AWS End User Messaging SMS. Messages are stored, not sent; a number on the opt-out list gets none. Source: AWS End User Messaging SMS
 * and voice v2 API reference.
 */
export async function serveSms(store: TextStore, asked: Asked): Promise<Answer> {
  switch (asked.operation) {
    case "SendTextMessage":
      return send(store, asked);
    case "PutOptedOutNumber":
      return optOut(store, asked);
    case "DeleteOptedOutNumber":
      return optIn(store, asked);
    case "DescribeOptedOutNumbers":
      return describe(store, asked);
    default:
      throw new AwsError(400, "UnknownOperationException", "This operation is not supported here");
  }
}

function send(store: TextStore, { caller, body, publish }: Asked): Answer {
  const asked = parse(SendTextMessage, body);
  const { DestinationPhoneNumber: to, OriginationIdentity: from, MessageBody: text, ConfigurationSetName: set } = asked;
  authorize(caller, { action: "sms-voice:SendTextMessage", resource: from });
  if (store.optedOut.value[nameOf(defaultOptOutList, to)])
    throw new AwsError(400, "ConflictException", "Destination phone number is opted out.", {
      Reason: "DESTINATION_PHONE_NUMBER_OPTED_OUT",
      ResourceType: "opt-out-list",
      ResourceId: defaultOptOutList,
    });
  if (!isKnown(store.sets, set))
    throw new AwsError(400, "ResourceNotFoundException", "The configuration set does not exist.", {
      ResourceType: "configuration-set",
      ResourceId: set,
    });
  const kept = store.add({ from, to, text, fate: textFate(to) });
  publishEvents({ sets: store.sets, publish }, set, textEvents(kept, asked.Context));
  return answer({ MessageId: kept.id });
}

function optOut({ optedOut }: TextStore, { caller, body }: Asked): Answer {
  const { OptOutListName: list, OptedOutNumber: number } = parse(OneNumber, body);
  authorize(caller, { action: "sms-voice:PutOptedOutNumber", resource: arnOf(caller, list) });
  optedOut.value[nameOf(list, number)] ??= new Date().toISOString();
  optedOut.save();
  return answer({ OptOutListName: list, ...shown(number, optedOut.value[nameOf(list, number)]) });
}

function optIn({ optedOut }: TextStore, { caller, body }: Asked): Answer {
  const { OptOutListName: list, OptedOutNumber: number } = parse(OneNumber, body);
  authorize(caller, { action: "sms-voice:DeleteOptedOutNumber", resource: arnOf(caller, list) });
  const since = optedOut.value[nameOf(list, number)];
  if (!since) throw notFound();
  delete optedOut.value[nameOf(list, number)];
  optedOut.save();
  return answer({ OptOutListName: list, ...shown(number, since) });
}

function describe({ optedOut }: TextStore, { caller, body }: Asked): Answer {
  const { OptOutListName: list, OptedOutNumbers: wanted } = parse(Numbers, body);
  authorize(caller, { action: "sms-voice:DescribeOptedOutNumbers", resource: arnOf(caller, list) });
  const all = Object.entries(optedOut.value).flatMap(([name, since]) =>
    name.startsWith(`${list}/`) ? [shown(name.slice(list.length + 1), since)] : [],
  );
  const found = all.filter(({ OptedOutNumber }) => wanted.length === 0 || wanted.includes(OptedOutNumber));
  if (found.length < wanted.length) throw notFound();
  return answer({ OptOutListName: list, OptedOutNumbers: found });
}

const answer = (body: object): Answer => jsonAnswer("sms-voice", body);
const nameOf = (list: string, number: string): string => `${list}/${number}`;
const arnOf = ({ region, account }: Caller, list: string): string => `arn:aws:sms-voice:${region}:${account}:opt-out-list/${list}`;
const shown = (OptedOutNumber: string, since = "") => ({
  OptedOutNumber,
  OptedOutTimestamp: Date.parse(since) / 1000,
  EndUserOptedOut: false,
});
const notFound = (): AwsError =>
  new AwsError(400, "ResourceNotFoundException", "The number is not on the list.", { ResourceType: "opted-out-number" });

function parse<S extends z.ZodMiniType>(schema: S, body: Buffer): z.output<S> {
  const asked = z.safeParse(schema, readJson(body));
  if (asked.success) return asked.data;
  const fields = asked.error.issues.map(({ path, message }) => ({ Name: path.join("."), Message: message }));
  throw new AwsError(400, "ValidationException", "One or more fields did not validate.", {
    Reason: "FIELD_VALIDATION_FAILED",
    Fields: fields,
  });
}
