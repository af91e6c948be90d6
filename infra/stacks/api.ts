import { Stack, type App } from "aws-cdk-lib";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { PublicHostedZone } from "aws-cdk-lib/aws-route53";
import { EmailIdentity, Identity } from "aws-cdk-lib/aws-ses";
import type { Bundles } from "../assets/bundle.ts";
import { VitalineFunction } from "../constructs/function.ts";
import { ContractApi } from "../constructs/http-api.ts";
import { Receipts } from "../constructs/receipts.ts";
import { httpFunctionNames, type FunctionName } from "../config/functions.ts";
import { needs } from "../needs/index.ts";
import { stackProps } from "../config/settings.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** The HTTP API, its functions, and the configuration sets for mails and texts. */
export class ApiStack extends Stack {
  readonly http: ContractApi;
  readonly functions: ReadonlyMap<FunctionName, IFunction>;
  readonly receipts: Receipts;

  constructor(app: App, data: DataResources, folderOf: Bundles["folderOf"]) {
    super(app, `vitaline-${data.settings.stage}-api`, {
      ...stackProps(data.settings),
      description: "Vitaline: the API and the functions behind it",
    });
    this.functions = new Map(
      httpFunctionNames.map((name) => [name, new VitalineFunction(this, name, { data, folder: folderOf(name) }).fn]),
    );
    this.receipts = new Receipts(this, "Receipts", data);
    // Sending fails until the configuration set exists.
    for (const [name, fn] of this.functions) if (needs[name].mail ?? needs[name].sms) fn.node.addDependency(this.receipts.sets);
    this.http = new ContractApi(this, "Api", { data, functionOf: (name) => this.functionOf(name) });
    this.#mailIdentity(data);
  }

  functionOf(name: FunctionName): IFunction {
    const fn = this.functions.get(name);
    if (!fn) throw new Error(`There is no function ${name}.`);
    return fn;
  }

  /** The domain if its hosted zone is configured, so that mail is signed; otherwise the single address, which its owner must confirm. */
  #mailIdentity({ settings: { mailFrom, hostedZone } }: DataResources): void {
    if (!mailFrom) return;
    const ofZone = hostedZone && mailFrom.endsWith(`@${hostedZone.name}`);
    new EmailIdentity(this, "Mail", {
      identity: ofZone
        ? Identity.publicHostedZone(
            PublicHostedZone.fromPublicHostedZoneAttributes(this, "MailZone", { hostedZoneId: hostedZone.id, zoneName: hostedZone.name }),
          )
        : Identity.email(mailFrom),
    });
  }
}
