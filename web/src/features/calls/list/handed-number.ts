import { useEffect, useEffectEvent } from "react";

let handed: string | undefined;
const listeners = new Set<() => void>();

/** Hands a phone number to the list of calls, in memory: a number must not stand in an address or in the history. */
export const handNumber = (number: string): void => {
  handed = number;
  for (const listener of listeners) listener();
};

/** Takes a number that was handed over before this list opened, or while it is open. */
export const useHandedNumber = (search: (number: string) => void): void => {
  const take = useEffectEvent(() => {
    const number = handed;
    handed = undefined;
    if (number !== undefined) search(number);
  });
  useEffect(() => {
    const listen = () => take();
    listen();
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
};
