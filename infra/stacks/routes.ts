import { Stack, type App } from "aws-cdk-lib";
import { Function, type IFunction } from "aws-cdk-lib/aws-lambda";
import { ContractApi } from "../constructs/http-api.ts";
import type { FunctionName } from "../config/functions.ts";
import { stackProps } from "../config/settings.ts";
import { liveArn } from "../resources/names.ts";
import type { ApiStack } from "./api.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** The HTTP API: the routes of the contract. Apart from their functions, as CloudFormation limits the resources of a stack. */
export class RoutesStack extends Stack {
  readonly http: ContractApi;

  constructor(app: App, { data, api }: { data: DataResources; api: ApiStack }) {
    super(app, `vitaline-${data.settings.stage}-routes`, {
      ...stackProps(data.settings),
      description: "Vitaline: the routes of the API",
    });
    this.addStackDependency(api);
    this.http = new ContractApi(this, "Api", { data, functionOf: (name) => this.#live(name, data) });
  }

  #live(name: FunctionName, data: DataResources): IFunction {
    return Function.fromFunctionAttributes(this, `Live-${name}`, { functionArn: liveArn(name, data), sameEnvironment: true });
  }
}
