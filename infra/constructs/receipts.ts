import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { ConfigurationSet, EmailSendingEvent, EventDestination } from "aws-cdk-lib/aws-ses";
import { CfnConfigurationSet } from "aws-cdk-lib/aws-smsvoice";
import { Topic } from "aws-cdk-lib/aws-sns";
import { LambdaSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import { configurationSetArn, configurationSetName } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** Delivery receipts of SES and AWS End User Messaging, published on a topic. */
export class Receipts extends Construct {
  /** Functions that send must depend on these. */
  readonly sets: Construct;
  readonly #topic: Topic;

  constructor(scope: Construct, id: string, data: DataResources) {
    super(scope, id);
    this.#topic = new Topic(this, "Topic", {
      masterKey: data.filesKey,
      enforceSSL: true,
      displayName: `Vitaline ${data.settings.stage} receipts`,
    });
    this.sets = new Construct(this, "Sets");
    if (data.settings.mailFrom) this.#addMailSet(data);
    if (data.settings.smsOrigination) this.#addTextSet(data);
  }

  /** Starts the function for each receipt. The queue receives those that Lambda does not accept. */
  subscribe(fn: IFunction, failures: Queue): void {
    acknowledge(this.#topic.addSubscription(new LambdaSubscription(fn, { deadLetterQueue: failures })), {
      "CloudFormation-Validate::W3694": "SNS invokes an alias like a function; the rule knows functions alone.",
    });
  }

  #addMailSet(data: DataResources): void {
    new ConfigurationSet(this.sets, "Mail", { configurationSetName: configurationSetName(data) }).addEventDestination("Receipts", {
      destination: EventDestination.snsTopic(this.#topic),
      events: [
        EmailSendingEvent.DELIVERY,
        EmailSendingEvent.DELIVERY_DELAY,
        EmailSendingEvent.BOUNCE,
        EmailSendingEvent.COMPLAINT,
        EmailSendingEvent.REJECT,
        EmailSendingEvent.RENDERING_FAILURE,
      ],
    });
  }

  #addTextSet(data: DataResources): void {
    const { policyDependable } = this.#topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ["sns:Publish"],
        resources: [this.#topic.topicArn],
        principals: [new ServicePrincipal("sms-voice.amazonaws.com")],
        conditions: {
          StringEquals: { "aws:SourceAccount": data.account },
          ArnLike: { "aws:SourceArn": configurationSetArn("sms-voice", data) },
        },
      }),
    );
    const set = new CfnConfigurationSet(this.sets, "Texts", {
      configurationSetName: configurationSetName(data),
      protectConfigurationId: data.settings.smsProtectConfiguration,
      eventDestinations: [
        {
          eventDestinationName: "receipts",
          enabled: true,
          matchingEventTypes: [
            "TEXT_DELIVERED",
            "TEXT_SUCCESSFUL",
            "TEXT_INVALID",
            "TEXT_INVALID_MESSAGE",
            "TEXT_UNREACHABLE",
            "TEXT_CARRIER_UNREACHABLE",
            "TEXT_BLOCKED",
            "TEXT_CARRIER_BLOCKED",
            "TEXT_SPAM",
            "TEXT_TTL_EXPIRED",
            "TEXT_PROTECT_BLOCKED",
          ],
          snsDestination: { topicArn: this.#topic.topicArn },
        },
      ],
    });
    if (policyDependable) set.node.addDependency(policyDependable);
  }
}
