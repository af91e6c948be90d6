import type { LookupAddress, LookupAllOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { OutboundError } from "./errors.ts";

/** Resolves a name to all its addresses: `dns.lookup`, or its stand-in in a test. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves inside the connection: what was checked is what is connected to, so an answer cannot change in between.
 * One bad address among the answers refuses all of them.
 */
export function checkedLookup(resolveAll: ResolveAll, accepts: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new OutboundError("outbound_unreachable"), []);
      if (!addresses.every(({ address }) => accepts(address))) return done(new OutboundError("outbound_refused"), []);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}
