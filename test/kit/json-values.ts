import fc from "fast-check";

/** Names of fields. None needs an escape: V8 can parse such a name as another one (https://github.com/nodejs/node/issues/63785). */
const name = fc.string().filter((each) => JSON.stringify(each) === `"${each}"`);
const leaf = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const { object, value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("value"), { maxLength: 4 }), tie("object")),
  object: fc.dictionary(name, tie("value"), { maxKeys: 6, noNullPrototype: true }),
}));

export const jsonValues = value;
export const jsonObjects = object as fc.Arbitrary<Record<string, unknown>>;
