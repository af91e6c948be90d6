import { StartError } from "../lib/run.ts";
import type { Assembly, Json, Properties, Stack } from "./assembly.ts";
import { identityOf, type Identity } from "./identity.ts";

export type SecretText = (idOrArn: string, versionId?: string) => string;

export type Resolver = {
  /** `where` names the place in an error message. */
  resolve(stack: Stack, value: Json, where: string): Json;
  holds(stack: Stack, condition: string): boolean;
  identity(stack: Stack, logicalId: string): Identity;
};

type Lookup = { stack: Stack; where: string; resolver: Internals };
type Internals = Resolver & {
  optional(stack: Stack, value: Json, where: string): Json | undefined;
  imported(name: string, where: string): Json;
};
type Intrinsic = (argument: Json, at: Lookup) => Json | undefined;

const fail = ({ stack, where }: Pick<Lookup, "stack" | "where">, what: string): never => {
  throw new StartError(`${stack.name}/${where}: ${what}.`);
};

const pseudo = (name: string, { account, region, name: stackName }: Stack): string | undefined =>
  ({
    "AWS::AccountId": account,
    "AWS::Region": region,
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::StackName": stackName,
    "AWS::StackId": `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/local`,
  })[name];

const text = (value: Json | undefined, at: Lookup): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : fail(at, "expected text where a template function gave something else");

const list = (value: Json, at: Lookup): Json[] => (Array.isArray(value) ? value : fail(at, "expected a list in a template function"));

const inner = (value: Json, { stack, where, resolver }: Lookup): Json => resolver.resolve(stack, value, where);

const ref: Intrinsic = (argument, at) => {
  const name = text(argument, at);
  if (name === "AWS::NoValue") return undefined;
  const known = pseudo(name, at.stack);
  if (known !== undefined) return known;
  if (at.stack.template.Resources?.[name]) return at.resolver.identity(at.stack, name).ref;
  return at.stack.template.Parameters?.[name]?.Default ?? fail(at, `Ref to ${name}, which the template does not define`);
};

const getAtt: Intrinsic = (argument, at) => {
  const [logicalId = "", ...attributePath] = Array.isArray(argument)
    ? argument.map((part) => text(part, at))
    : text(argument, at).split(".");
  const attribute = attributePath.join(".");
  if (!at.stack.template.Resources?.[logicalId]) return fail(at, `GetAtt of ${logicalId}, which the template does not define`);
  return at.resolver.identity(at.stack, logicalId).attributes[attribute] ?? fail(at, `GetAtt ${logicalId}.${attribute} is not known here`);
};

const sub: Intrinsic = (argument, at) => {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const named = (variables ?? {}) as Properties;
  return text(pattern, at).replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => {
    if (name.startsWith("!")) return `\${${name.slice(1)}}`;
    if (named[name] !== undefined) return text(inner(named[name], at), at);
    return text(name.includes(".") ? getAtt(name, at) : ref(name, at), at);
  });
};

const select: Intrinsic = (argument, at) => {
  const [index, values] = list(inner(argument, at), at);
  return list(values ?? null, at)[Number(index)] ?? fail(at, `Select finds nothing at ${String(index)}`);
};

const join: Intrinsic = (argument, at) => {
  const [separator, values] = list(inner(argument, at), at);
  return list(values ?? null, at)
    .map((value) => text(value, at))
    .join(text(separator, at));
};

const split: Intrinsic = (argument, at) => {
  const [separator, value] = list(inner(argument, at), at);
  return text(value, at).split(text(separator, at));
};

const findInMap: Intrinsic = (argument, at) => {
  const [map = "", first = "", second = ""] = list(inner(argument, at), at).map((part) => text(part, at));
  return at.stack.template.Mappings?.[map]?.[first]?.[second] ?? fail(at, `FindInMap finds no ${map}.${first}.${second}`);
};

const choose: Intrinsic = (argument, at) => {
  const [condition, yes, no] = list(argument, at);
  const chosen = at.resolver.holds(at.stack, text(condition, at)) ? yes : no;
  return chosen === undefined ? undefined : at.resolver.optional(at.stack, chosen, at.where);
};

const conditionValues = (argument: Json, at: Lookup): boolean[] => list(inner(argument, at), at).map((value) => value === true);

const intrinsics: Record<string, Intrinsic> = {
  Ref: ref,
  Condition: (argument, at) => at.resolver.holds(at.stack, text(argument, at)),
  "Fn::And": (argument, at) => conditionValues(argument, at).every(Boolean),
  "Fn::Equals": (argument, at) => {
    const [left, right] = list(inner(argument, at), at);
    return JSON.stringify(left) === JSON.stringify(right);
  },
  "Fn::FindInMap": findInMap,
  "Fn::GetAtt": getAtt,
  "Fn::If": choose,
  "Fn::ImportValue": (argument, at) => at.resolver.imported(text(inner(argument, at), at), at.where),
  "Fn::Join": join,
  "Fn::Not": (argument, at) => !conditionValues(argument, at)[0],
  "Fn::Or": (argument, at) => conditionValues(argument, at).some(Boolean),
  "Fn::Select": select,
  "Fn::Split": split,
  "Fn::Sub": sub,
};

/** Replaces `{{resolve:secretsmanager:<id>:SecretString:<key>::<version>}}` with the secret, or with one key of its JSON. */
const withSecrets = (value: string, secretText: SecretText, at: Pick<Lookup, "stack" | "where">): string =>
  value.replaceAll(/\{\{resolve:([^}]*)\}\}/g, (_, reference: string) => {
    const [service, ...parts] = reference.split(":");
    if (service !== "secretsmanager") return fail(at, "holds a dynamic reference that is not of Secrets Manager");
    const idParts = parts[0] === "arn" ? 7 : 1;
    const secret = secretText(parts.slice(0, idParts).join(":"), parts[idParts + 3] || undefined);
    const key = parts[idParts + 1];
    if (!key) return secret;
    const field = (JSON.parse(secret) as Properties)[key];
    return typeof field === "string" ? field : fail(at, `the secret has no text under ${key}`);
  });

export function createResolver({ stacks }: Assembly, secretText: SecretText): Resolver {
  const identities = new Map<string, Identity>();
  const resolver: Internals = {
    resolve: (stack, value, where) => resolver.optional(stack, value, where) ?? null,
    optional(stack, value, where) {
      if (typeof value === "string") return withSecrets(value, secretText, { stack, where });
      if (value === null || typeof value !== "object") return value;
      if (Array.isArray(value)) return value.map((entry) => resolver.optional(stack, entry, where)).filter((entry) => entry !== undefined);
      const [name, argument] = Object.entries(value)[0] ?? [];
      const intrinsic = name !== undefined && Object.keys(value).length === 1 ? intrinsics[name] : undefined;
      if (intrinsic && argument !== undefined) {
        const result = intrinsic(argument, { stack, where, resolver });
        return typeof result === "string" ? withSecrets(result, secretText, { stack, where }) : result;
      }
      if (name?.startsWith("Fn::")) return fail({ stack, where }, `${name} is not understood here`);
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, entry]) => {
          const resolved = resolver.optional(stack, entry, where);
          return resolved === undefined ? [] : [[key, resolved]];
        }),
      );
    },
    holds(stack, condition) {
      const expression = stack.template.Conditions?.[condition];
      return expression === undefined
        ? fail({ stack, where: condition }, "no such condition")
        : resolver.resolve(stack, expression, condition) === true;
    },
    identity(stack, logicalId) {
      const key = `${stack.name}/${logicalId}`;
      const known = identities.get(key);
      if (known) return known;
      const { Type, Properties = {} } = stack.template.Resources?.[logicalId] ?? fail({ stack, where: logicalId }, "no such resource");
      const property = (name: string): string | undefined => {
        const value = Properties[name] === undefined ? undefined : resolver.optional(stack, Properties[name], logicalId);
        return value === undefined ? undefined : String(value);
      };
      const identity = identityOf(stack, logicalId, Type, property);
      identities.set(key, identity);
      return identity;
    },
    imported(name, where) {
      for (const stack of stacks) {
        for (const output of Object.values(stack.template.Outputs ?? {})) {
          if (output.Export && resolver.resolve(stack, output.Export.Name, where) === name)
            return resolver.resolve(stack, output.Value, where);
        }
      }
      throw new StartError(`${where}: no stack exports ${name}.`);
    },
  };
  return resolver;
}
