import { momentRange } from "../store/clinic-time.ts";
import { Refusal } from "../http/http.ts";
import { parseReference, type Resource } from "../store/resource.ts";
import { phoneDigits, type SearchParam, type Token } from "./search-params.ts";

/** Builds the test of one criterion, e.g. `name=smi,jon`: one of the comma-separated values must match. */
export function criterion<R extends Resource>(
  name: string,
  modifier: string | undefined,
  param: SearchParam<R>,
  value: string,
): (resource: R) => boolean {
  const tests = value.split(/(?<!\\),/).map((one) => oneValue(name, modifier, param, one.replaceAll("\\,", ",")));
  return (resource) => tests.some((test) => test(resource));
}

function oneValue<R extends Resource>(
  name: string,
  modifier: string | undefined,
  param: SearchParam<R>,
  value: string,
): (resource: R) => boolean {
  switch (param.type) {
    case "string": {
      const matches = stringTest(name, modifier, value);
      return (resource) => param.values(resource).some((found) => found !== undefined && matches(found));
    }
    case "token": {
      const matches = tokenTest(name, modifier, name === "phone" ? phoneDigits(value) : value);
      return (resource) => param.values(resource).some(matches);
    }
    case "date": {
      refuseModifier(name, modifier);
      const matches = dateTest(name, value);
      return (resource) => param.values(resource).some((found) => found !== undefined && matches(found));
    }
    case "reference": {
      refuseModifier(name, modifier);
      const wanted = parseReference(value);
      return (resource) =>
        param.values(resource).some((found) => {
          const target = parseReference(found);
          return wanted ? target?.type === wanted.type && target.id === wanted.id : target?.id === value;
        });
    }
  }
}

/** Plain strings match the start of any word, ignoring case and accents, as at real EHRs. */
function stringTest(name: string, modifier: string | undefined, value: string): (found: string) => boolean {
  if (modifier === "exact") return (found) => found === value;
  const folded = fold(value);
  if (modifier === "contains") return (found) => fold(found).includes(folded);
  refuseModifier(name, modifier);
  return (found) => fold(found).startsWith(folded);
}

export const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** "code", "system|code", "system|" and "|code"; `:text` matches the start of any word of a display or text. */
function tokenTest(name: string, modifier: string | undefined, value: string): (found: Token) => boolean {
  if (modifier === "text") return ({ text }) => text !== undefined && ` ${fold(text)}`.includes(` ${fold(value)}`);
  refuseModifier(name, modifier);
  const bar = value.indexOf("|");
  if (bar < 0) return ({ code }) => code !== undefined && fold(code) === fold(value);
  const [system, wanted] = [value.slice(0, bar), value.slice(bar + 1)];
  return (found) => (found.system ?? "") === system && (wanted === "" || (found.code !== undefined && fold(found.code) === fold(wanted)));
}

type Range = { from: number; to: number };
const dateComparisons: Record<string, (found: Range, wanted: Range) => boolean> = {
  eq: (found, wanted) => found.from >= wanted.from && found.to <= wanted.to,
  ne: (found, wanted) => found.from < wanted.from || found.to > wanted.to,
  lt: (found, wanted) => found.from < wanted.from,
  le: (found, wanted) => found.from <= wanted.to,
  gt: (found, wanted) => found.to > wanted.to,
  ge: (found, wanted) => found.to >= wanted.from,
};

function dateTest(name: string, value: string): (found: string) => boolean {
  const [, prefix = "eq", text = ""] = /^([a-z]{2})?(.*)$/.exec(value) ?? [];
  const compare = dateComparisons[prefix];
  const wanted = momentRange(text);
  if (!compare || !wanted) throw new Refusal(400, "invalid", `The value of "${name}" is not a date this server understands`);
  return (found) => {
    const range = momentRange(found);
    return range !== undefined && compare(range, wanted);
  };
}

function refuseModifier(name: string, modifier: string | undefined): void {
  if (modifier !== undefined) throw new Refusal(400, "not-supported", `The modifier ":${modifier}" of "${name}" is not supported`);
}
