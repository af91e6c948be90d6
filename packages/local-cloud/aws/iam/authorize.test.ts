import fc from "fast-check";
import { expect, test } from "vitest";
import { conditionHolds, evaluate, wildcard } from "./authorize.ts";
import type { ConditionContext, Statement } from "../types.ts";

const decide = (statements: Statement[], action: string, resource: string, context?: ConditionContext) =>
  evaluate({ arn: "role", statements }, { action, resource, context });
const table = "arn:aws:dynamodb:us-east-1:1:table/t";
const allow = (more: Partial<Statement> = {}): Statement => ({ Effect: "Allow", Action: "dynamodb:GetItem", Resource: table, ...more });

test("an action without an allowing statement is denied", () => {
  expect(decide([], "dynamodb:GetItem", table)).toBe("denied");
  expect(decide([allow()], "dynamodb:PutItem", table)).toBe("denied");
  expect(decide([allow()], "dynamodb:GetItem", `${table}/index/gsi`)).toBe("denied");
  expect(decide([allow()], "dynamodb:GetItem", table)).toBe("allowed");
});

test("a Deny wins over any Allow, wherever it stands", () => {
  const deny: Statement = { Effect: "Deny", Action: "dynamodb:*", Resource: "*" };
  expect(decide([deny, allow()], "dynamodb:GetItem", table)).toBe("explicitly denied");
  expect(decide([allow(), deny], "dynamodb:GetItem", table)).toBe("explicitly denied");
});

test("actions match without case and by wildcard, resources with case", () => {
  expect(decide([allow({ Action: ["dynamodb:get*"] })], "dynamodb:GetItem", table)).toBe("allowed");
  expect(decide([allow({ Action: "dynamodb:?etItem" })], "dynamodb:GetItem", table)).toBe("allowed");
  expect(decide([allow({ Resource: `${table}*` })], "dynamodb:GetItem", `${table}/index/gsi`)).toBe("allowed");
  expect(decide([allow({ Resource: table.toUpperCase() })], "dynamodb:GetItem", table)).toBe("denied");
});

test("NotAction and NotResource match everything but", () => {
  const but = allow({ Action: undefined, NotAction: "dynamodb:Scan" });
  expect([decide([but], "dynamodb:Query", table), decide([but], "dynamodb:Scan", table)]).toEqual(["allowed", "denied"]);
  const elsewhere = allow({ Resource: undefined, NotResource: table });
  expect([decide([elsewhere], "dynamodb:GetItem", "other"), decide([elsewhere], "dynamodb:GetItem", table)]).toEqual(["allowed", "denied"]);
});

test("all conditions of a statement must hold together, any value of one suffices", () => {
  const Condition = {
    StringEquals: { "kms:EncryptionContext:purpose": ["phi", "webhook"] },
    StringLike: { "aws:ResourceTag/vitaline:use": "v*" },
  };
  const statement = allow({ Condition });
  expect(
    decide([statement], "dynamodb:GetItem", table, { "kms:EncryptionContext:purpose": "phi", "aws:ResourceTag/vitaline:use": "vault" }),
  ).toBe("allowed");
  expect(
    decide([statement], "dynamodb:GetItem", table, { "kms:EncryptionContext:purpose": "phi", "aws:ResourceTag/vitaline:use": "table" }),
  ).toBe("denied");
  expect(
    decide([statement], "dynamodb:GetItem", table, { "kms:EncryptionContext:purpose": "other", "aws:ResourceTag/vitaline:use": "vault" }),
  ).toBe("denied");
  expect(decide([statement], "dynamodb:GetItem", table, { "aws:ResourceTag/vitaline:use": "vault" })).toBe("denied");
});

test.each<[operator: string, expected: string | string[], actual: string | string[] | undefined, holds: boolean]>([
  ["StringEquals", "a", "a", true],
  ["StringEquals", "a", undefined, false],
  ["StringEqualsIfExists", "a", undefined, true],
  ["StringEqualsIfExists", "a", "b", false],
  ["StringNotEquals", "a", undefined, true],
  ["StringNotEquals", ["a", "b"], "b", false],
  ["StringNotEquals", ["a", "b"], "c", true],
  ["StringLike", "TENANT#*", "TENANT#1#X", true],
  ["StringNotLike", "TENANT#*", "TENANT#1#X", false],
  ["StringEqualsIgnoreCase", "A", "a", true],
  ["ArnLike", "arn:aws:iam::*:role/x*", "arn:aws:iam::1:role/xy", true],
  ["ArnLike", "arn:aws:iam:*", "arn:aws:iam::1:role/xy", false],
  ["Bool", "true", "true", true],
  ["Bool", "false", "true", false],
  ["Null", "true", undefined, true],
  ["Null", "false", undefined, false],
  ["Null", "false", "x", true],
  ["NumericLessThanEquals", "7", "7", true],
  ["NumericLessThan", "7", "10", false],
  ["ForAllValues:StringLike", ["A#*", "B#*"], ["A#1", "B#1"], true],
  ["ForAllValues:StringLike", ["A#*"], ["A#1", "B#1"], false],
  ["ForAllValues:StringLike", ["A#*"], undefined, true],
  ["ForAnyValue:StringLike", ["A#*"], ["A#1", "B#1"], true],
  ["ForAnyValue:StringLike", ["A#*"], ["C#1", "B#1"], false],
  ["ForAnyValue:StringLike", ["A#*"], undefined, false],
  ["ForAnyValue:StringNotLike", ["A#*"], ["A#1", "B#1"], true],
])("%s %j on %j holds: %s", (operator, expected, actual, holds) => {
  expect(conditionHolds(operator, { "The:Key": expected }, { "the:key": actual })).toBe(holds);
});

test("an unknown operator throws instead of evaluating to true or false", () => {
  expect(() => conditionHolds("DateLessThan", { "aws:CurrentTime": "x" }, { "aws:CurrentTime": "y" })).toThrow(
    "Unknown IAM condition operator",
  );
});

test("a pattern made by replacing parts of a text with wildcards matches it, and regex characters are literal", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(), fc.nat(), (text, from, length) => {
      const start = from % (text.length + 1);
      const pattern = `${text.slice(0, start)}*${text.slice(start + (length % (text.length + 1)))}`;
      expect(wildcard(pattern, text)).toBe(true);
      expect(wildcard(`${text.replaceAll("*", "")}+`, `${text.replaceAll("*", "")}`)).toBe(false);
    }),
  );
});

test("a policy variable is the request's value, never a wildcard, and matches nothing when the request lacks it", () => {
  const bound = allow({
    Resource: `${table}/${"${aws:PrincipalTag/tenantId}"}`,
    Condition: {
      StringLike: { "The:Key": `T#${"${aws:principaltag/TENANTID}"}#*` },
      StringEquals: { "The:Other": "${aws:PrincipalTag/tenantId}" },
    },
  });
  const ask = (tag: string | undefined, resource: string, key: string, other = tag) =>
    decide([bound], "dynamodb:GetItem", `${table}/${resource}`, { "aws:PrincipalTag/tenantId": tag, "the:key": key, "the:other": other });
  expect(ask("one", "one", "T#one#x")).toBe("allowed");
  expect([ask("one", "two", "T#one#x"), ask("one", "one", "T#two#x"), ask("one", "one", "T#one#x", "two")]).toEqual([
    "denied",
    "denied",
    "denied",
  ]);
  expect([ask("*", "*", "T#*#x"), ask("*", "one", "T#*#x"), ask("*", "*", "T#one#x"), ask("?", "?", "T#a#x")]).toEqual([
    "allowed",
    "denied",
    "denied",
    "denied",
  ]);
  expect([ask(undefined, "", "T##x", ""), ask(undefined, "${aws:PrincipalTag/tenantId}", "T#one#x", "one")]).toEqual(["denied", "denied"]);
});

test("escaped wildcards are literal, and a default of a variable throws", () => {
  expect([wildcard("a${*}b*", "a*bc"), wildcard("a${*}b*", "axbc"), wildcard("${$}{x}", "${x}")]).toEqual([true, false, true]);
  expect(() => conditionHolds("StringEquals", { "a:b": "${aws:PrincipalTag/x, 'y'}" }, { "a:b": "y" })).toThrow("not supported");
});
