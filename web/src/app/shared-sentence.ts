type Field = { error: string | undefined };

/**
 * For a rule about several fields that has one sentence: it is said once, of the form, and each field that breaks the rule says what it
 * lacks itself. `lacks` names those fields.
 */
export const sayOnce = <Name extends string, F extends Field>(
  sentence: string,
  lacks: Partial<Record<NoInfer<Name>, string>>,
  field: (name: Name) => F,
): { sentence: string | undefined; field: (name: Name) => F } => {
  const isBroken = (Object.keys(lacks) as Name[]).some((name) => field(name).error === sentence);
  return {
    sentence: isBroken ? sentence : undefined,
    field: (name) => {
      const own = field(name);
      return own.error === sentence ? { ...own, error: lacks[name] ?? sentence } : own;
    },
  };
};
