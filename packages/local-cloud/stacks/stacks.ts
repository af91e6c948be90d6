import { openJsonFile } from "../aws/json-file.ts";
import type { Assembly, Stack } from "../template/assembly.ts";
import { readResources, type Resources } from "../template/resources.ts";
import { createResolver, type SecretText } from "../template/resolve.ts";

export type Stacks = {
  find(name: string): Stack | undefined;
  parametersOf(stack: Stack): Record<string, string>;
  outputsOf(stack: Stack): Record<string, string>;
  /** Throws when other resources than distributions would change, which needs a new start, or when a secret has no such version. */
  update(stack: Stack, parameters: Record<string, string>): void;
};

type Options = { path: string | undefined; secretText: SecretText; onUpdate: (resources: Resources) => void };

/** Parameters keep the values of the last update, as those of deployed stacks do. */
export function openStacks(assembly: Assembly, { path, secretText, onUpdate }: Options): Stacks {
  const { value: kept, save } = openJsonFile<Record<string, Record<string, string>>>(path, {});
  const apply = (stack: Stack, values: Record<string, string>): void => {
    for (const [name, parameter] of Object.entries(stack.template.Parameters ?? {})) parameter.Default = values[name] ?? parameter.Default;
  };
  for (const stack of assembly.stacks) apply(stack, kept[stack.name] ?? {});
  const parametersOf = ({ template }: Stack): Record<string, string> =>
    Object.fromEntries(Object.entries(template.Parameters ?? {}).map(([name, { Default = "" }]) => [name, String(Default)]));
  const othersIn = ({ all }: Resources): Map<string, string> =>
    new Map(
      all.filter(({ type }) => type !== "AWS::CloudFront::Distribution").map((placed) => [placed.where, JSON.stringify(placed.properties)]),
    );
  return {
    find: (name) => assembly.stacks.find((stack) => stack.name === name),
    parametersOf,
    outputsOf: (stack) => {
      const resolver = createResolver(assembly, secretText);
      const outputs = Object.entries(stack.template.Outputs ?? {});
      return Object.fromEntries(outputs.map(([name, { Value }]) => [name, String(resolver.resolve(stack, Value, name))]));
    },
    update(stack, parameters) {
      const before = parametersOf(stack);
      const old = othersIn(readResources(assembly, secretText));
      apply(stack, parameters);
      try {
        const resources = readResources(assembly, secretText);
        const changed = [...othersIn(resources)].flatMap(([where, properties]) => (old.get(where) === properties ? [] : [where]));
        if (changed.length > 0) throw new Error(`These can be changed here only by a new start: ${changed.join(", ")}`);
        onUpdate(resources);
      } catch (error) {
        apply(stack, before);
        throw error;
      }
      kept[stack.name] = parametersOf(stack);
      save();
    },
  };
}
