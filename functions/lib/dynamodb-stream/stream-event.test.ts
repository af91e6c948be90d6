import { marshall } from "@aws-sdk/util-dynamodb";
import fc from "fast-check";
import { expect, it } from "vitest";
import { unmarshall } from "./stream-event.ts";

/** Our attribute names are words, without those of Object.prototype. */
const name = fc.stringMatching(/^[a-z]\w{0,5}$/);
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }).map((texts) => new Set(texts)),
  fc.uniqueArray(fc.integer(), { minLength: 1 }).map((numbers) => new Set(numbers)),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("any")), fc.dictionary(name, tie("any"), { noNullPrototype: true })),
})).any;

it("reads every row that DynamoDB's own client writes", () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (row) => {
      expect(unmarshall(marshall(row))).toEqual(row);
    }),
  );
});

it("throws for invalid attribute values", () => {
  for (const broken of [{ X: "1" }, {}]) expect(() => unmarshall({ status: broken })).toThrow(TypeError);
});
