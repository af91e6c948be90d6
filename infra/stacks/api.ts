import { Stack, type App } from "aws-cdk-lib";
import { PublicHostedZone } from "aws-cdk-lib/aws-route53";
import { EmailIdentity, Identity } from "aws-cdk-lib/aws-ses";
import type { Bundles } from "../assets/bundle.ts";
import { VitalineFunction } from "../constructs/functions/function.ts";
import { Receipts } from "../constructs/receipts.ts";
import { httpFunctionNames } from "../config/functions.ts";
import { needs } from "../needs/index.ts";
import { mailIdentity, stackProps } from "../config/settings.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** The functions behind the HTTP API, and the configuration sets for mails and texts. */
export class ApiStack extends Stack {
  readonly receipts: Receipts;

  constructor(app: App, data: DataResources, folderOf: Bundles["folderOf"]) {
    super(app, `vitaline-${data.settings.stage}-api`, {
      ...stackProps(data.settings),
      description: "Vitaline: the functions behind the API",
    });
    const functions = new Map(
      httpFunctionNames.map((name) => [name, new VitalineFunction(this, name, { data, folder: folderOf(name) }).fn]),
    );
    this.receipts = new Receipts(this, "Receipts", data);
    // Sending fails until the configuration set exists.
    for (const [name, fn] of functions) if (needs[name].mail ?? needs[name].sms) fn.node.addDependency(this.receipts.sets);
    this.#mailIdentity(data);
  }

  /** The zone's domain, so that mail is signed and needs no confirmation; without a zone the address, which its owner confirms. */
  #mailIdentity({ settings }: DataResources): void {
    const { mailFrom, mailVerified, hostedZone } = settings;
    if (!mailFrom || mailVerified) return;
    const { zone, name } = mailIdentity(mailFrom, hostedZone);
    if (!zone) {
      new EmailIdentity(this, "Mail", { identity: Identity.email(name) });
      return;
    }
    new EmailIdentity(this, "Mail", {
      identity: Identity.publicHostedZone(
        PublicHostedZone.fromPublicHostedZoneAttributes(this, "MailZone", { hostedZoneId: zone.id, zoneName: zone.name }),
      ),
      // SPF then passes for our own domain, as DMARC wants.
      mailFromDomain: `bounce.${zone.name}`,
    });
  }
}
