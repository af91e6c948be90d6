import * as z from "zod/mini";
import { authorize, type Caller, isAllowed } from "../iam/authorize.ts";
import { AwsError, jsonAnswer } from "../http/respond.ts";
import { readJson } from "../http/request.ts";
import { mailEvents, mailFate, type MailStore } from "../ses/mail-store.ts";
import { isKnown, type Publish, publishEvents } from "../sns/configuration-sets.ts";
import type { AccessRequest, Answer } from "../types.ts";

const Addresses = z._default(z.array(z.string().check(z.minLength(1))), []);
const Content = z.object({ Data: z.string(), Charset: z.optional(z.string()) });
const Attachment = z.strictObject({
  RawContent: z.string(),
  FileName: z.string().check(z.minLength(1), z.maxLength(255)),
  ContentType: z.optional(z.string().check(z.maxLength(78))),
  ContentDisposition: z.optional(z.enum(["ATTACHMENT", "INLINE"])),
  ContentTransferEncoding: z.optional(z.enum(["BASE64", "QUOTED_PRINTABLE", "SEVEN_BIT"])),
});
/** Source: "MessageTag" in the Amazon SES API v2 reference. */
const TagText = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,256}$/));
const SendEmail = z.strictObject({
  FromEmailAddress: z.string(),
  Destination: z.object({ ToAddresses: Addresses, CcAddresses: Addresses, BccAddresses: Addresses }),
  ReplyToAddresses: Addresses,
  Content: z.strictObject({
    Simple: z.strictObject({
      Subject: Content,
      Body: z.object({ Text: z.optional(Content), Html: z.optional(Content) }),
      Attachments: z.optional(z.array(Attachment)),
    }),
  }),
  ConfigurationSetName: z.optional(z.string()),
  EmailTags: z._default(z.array(z.strictObject({ Name: TagText, Value: TagText })), []),
});
type SendEmail = z.output<typeof SendEmail>;

/** SES limits the total of to, cc and bcc. */
const maxReceivers = 50;

export function sesOperationName(method: string, path: string): string | undefined {
  if (method === "POST") return path === "/v2/email/outbound-emails" ? "SendEmail" : undefined;
  if (method !== "GET") return undefined;
  return path === "/v2/email/account" ? "GetAccount" : /^\/v2\/email\/identities\/[^/]+$/.test(path) ? "GetEmailIdentity" : undefined;
}

/**
 * SES v2 SendEmail. Mail is stored, not sent; events go to the topics of its configuration set. Source: "SendEmail" in the Amazon SES API
 * v2 reference.
 */
export async function serveSes(
  store: MailStore,
  { caller, operation, body, publish }: { caller: Caller; operation: string; body: Buffer; publish: Publish },
): Promise<Answer> {
  if (operation !== "SendEmail") throw new AwsError(404, "UnknownOperationException", "This operation is not supported here");
  const asked = z.safeParse(SendEmail, readJson(body));
  if (!asked.success) throw badRequest(`Not understood here: ${asked.error.issues.map(({ path }) => path.join(".")).join(", ")}`);
  const { FromEmailAddress: from, Destination, ReplyToAddresses, Content: content, ConfigurationSetName: set, EmailTags } = asked.data;
  const { ToAddresses: to, CcAddresses: cc, BccAddresses: bcc } = Destination;
  const { Subject, Body, Attachments = [] } = content.Simple;
  authorizeSender(store, caller, asked.data);
  if (!isKnown(store.sets, set)) throw new AwsError(404, "NotFoundException", `Configuration set <${set}> does not exist.`);
  const receivers = [...to, ...cc, ...bcc];
  if (receivers.length === 0 || receivers.length > maxReceivers) throw badRequest(`There must be 1 to ${maxReceivers} recipients.`);
  const broken = [from, ...receivers].find((address) => !/^\S+@\S+\.?\S+$/.test(bareAddress(address)));
  if (broken !== undefined) throw badRequest("Missing final '@domain'");
  if (/[\r\n]/.test(Subject.Data)) throw badRequest("The subject must be one line.");
  if (!Body.Text && !Body.Html) throw badRequest("The body holds neither text nor HTML.");
  const mail = { from, to, cc, bcc, replyTo: ReplyToAddresses, subject: Subject.Data, text: Body.Text?.Data, html: Body.Html?.Data };
  const attachments = Attachments.length > 0 ? { attachments: Attachments.map(attachmentOf) } : {};
  const kept = store.add({ ...mail, ...attachments, fate: mailFate(bareAddress(receivers[0] ?? "")) });
  const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value]));
  for (const receiver of set === undefined ? [] : receivers)
    publishEvents({ sets: store.sets, publish }, set, mailEvents({ mail: kept, to: bareAddress(receiver), tags, set: set ?? "", caller }));
  return jsonAnswer("ses", { MessageId: kept.id });
}

const attachmentOf = ({ FileName, ContentType = "application/octet-stream", RawContent }: z.output<typeof Attachment>) => ({
  fileName: FileName,
  contentType: ContentType,
  content: ContentType.startsWith("text/") ? Buffer.from(RawContent, "base64").toString() : RawContent,
});

/**
 * Checks IAM on the sender's identity (the address if it is declared, else its domain or the nearest domain above it) and on the configuration set. Mail with
 * attachments needs ses:SendRawEmail as well.
 */
function authorizeSender(
  { identities }: MailStore,
  caller: Caller,
  { FromEmailAddress, Destination, Content: { Simple }, ConfigurationSetName }: SendEmail,
): void {
  const address = bareAddress(FromEmailAddress).toLowerCase();
  const candidates = [address, ...domainsOf(address.slice(address.lastIndexOf("@") + 1))];
  const declared = candidates.filter((name) => identities.has(name)).slice(0, 1);
  const { ToAddresses, CcAddresses, BccAddresses } = Destination;
  const context = {
    "ses:ApiVersion": "2",
    "ses:FromAddress": address,
    "ses:FromDisplayName": /^"?([^"<]*?)"?\s*</.exec(FromEmailAddress)?.[1],
    "ses:Recipients": [...ToAddresses, ...CcAddresses, ...BccAddresses].map(bareAddress),
  };
  for (const action of ["ses:SendEmail", ...(Simple.Attachments?.length ? ["ses:SendRawEmail"] : [])]) {
    const requests = (declared.length > 0 ? declared : candidates).map((name): AccessRequest => {
      const resource = `arn:aws:ses:${caller.region}:${caller.account}:identity/${name}`;
      return { action, resource, context };
    });
    const allowed = requests.some((access) => isAllowed(caller, access));
    if (!allowed) authorize(caller, requests.at(-1)!, "AccessDeniedException", 403);
    const resource = `arn:aws:ses:${caller.region}:${caller.account}:configuration-set/${ConfigurationSetName}`;
    if (ConfigurationSetName !== undefined) authorize(caller, { action, resource, context }, "AccessDeniedException", 403);
  }
  if (identities.size > 0 && declared.length === 0)
    throw new AwsError(
      400,
      "MessageRejected",
      `Email address is not verified. The following identities failed the check in region ${caller.region.toUpperCase()}: ${address}`,
    );
}

/** A domain and those above it: the identity of a domain is one for its subdomains. Source: "Creating and verifying identities in Amazon SES". */
const domainsOf = (domain: string): string[] => {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
};

const bareAddress = (address: string): string => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address.trim();

const badRequest = (message: string): AwsError => new AwsError(400, "BadRequestException", message);
