import { StartError } from "../lib/run.ts";
import type { Assembly, Properties, Resource, Stack } from "./assembly.ts";
import type { Identity } from "./identity.ts";
import { createResolver, type SecretText } from "./resolve.ts";
import { treatmentOf } from "./types.ts";

export type Placed = Identity & { stack: Stack; logicalId: string; type: string; where: string; readonly properties: Properties };

export type Resources = {
  all: Placed[];
  ofType(type: string): Placed[];
  assets: Assembly["assets"];
};

/** Throws for an unknown resource type. */
export function readResources(assembly: Assembly, secretText: SecretText): Resources {
  const resolver = createResolver(assembly, secretText);
  const placed: Placed[] = [];
  for (const stack of assembly.stacks) {
    for (const [logicalId, resource] of Object.entries(stack.template.Resources ?? {})) {
      if (resource.Condition && !resolver.holds(stack, resource.Condition)) continue;
      if (treats(stack, logicalId, resource)) placed.push(place(stack, logicalId, resource));
    }
  }

  function place(stack: Stack, logicalId: string, { Type: type, Properties = {} }: Resource): Placed {
    const { ref, attributes } = resolver.identity(stack, logicalId);
    let resolved: Properties | undefined;
    return {
      ref,
      attributes,
      stack,
      logicalId,
      type,
      where: `${stack.name}/${logicalId}`,
      get properties() {
        return (resolved ??= resolver.resolve(stack, Properties, logicalId) as Properties);
      },
    };
  }

  return { all: placed, ofType: (type) => placed.filter((resource) => resource.type === type), assets: assembly.assets };
}

function treats(stack: Stack, logicalId: string, { Type }: Resource): boolean {
  const treatment = treatmentOf(Type, logicalId);
  if (treatment === "unknown") throw new StartError(`${stack.name}/${logicalId}: the type ${Type} is not known to the local platform.`);
  return treatment === "run";
}

export function named(resources: Placed[], name: string, where: string): Placed {
  const found = resources.find(
    ({ ref, attributes }) =>
      ref === name || attributes["Arn"] === name || attributes["StreamArn"] === name || attributes["FunctionARN"] === name,
  );
  if (!found) throw new StartError(`${where}: refers to ${name}, which the templates do not define.`);
  return found;
}

/** Throws when a resource uses a property that is not supported here. */
export function refuse(resource: Placed, ...properties: string[]): void {
  for (const property of properties) {
    if (resource.properties[property] !== undefined)
      throw new StartError(`${resource.where}: ${property} is not understood by the local platform.`);
  }
}
