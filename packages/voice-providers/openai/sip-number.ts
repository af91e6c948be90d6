const address = /<\s*(sips?|tel):([^>]*)>|^\s*(sips?|tel):(\S*)/i;

/**
 * The telephone number in a SIP header's address, without what makes it readable: of `"Ann" <sip:+1-617-555-0123@host;x=y>;tag=z`
 * +16175550123. undefined where the address names somebody otherwise, and for callers who withhold theirs. Source: RFC 3261 20.10, RFC 3966.
 */
export function sipNumber(header: string | undefined): string | undefined {
  // A quoted display name may hold anything
  const found = address.exec((header ?? "").slice(0, 1000).replace(/"(?:[^"\\]|\\.)*"/g, ""));
  const user = /^[^@;?]*/.exec(found?.[2] ?? found?.[4] ?? "")?.[0] ?? "";
  const number = decoded(user).replace(/[\s().-]/g, "");
  return /^\+?\d{3,15}$/.test(number) ? number : undefined;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
};
