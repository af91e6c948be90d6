// In this order: each name also stands in what those before it send.
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg/, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const systems: [pattern: RegExp, name: string][] = [
  [/\bWindows\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (header: string, names: [RegExp, string][]): string | undefined => names.find(([pattern]) => pattern.test(header))?.[1];

/** "Firefox on Windows" for a User-Agent header: enough to know one's own browser again, and nobody else's text. */
export const shortUserAgent = (header: string | undefined): string | undefined => {
  const browser = nameIn(header ?? "", browsers);
  const system = nameIn(header ?? "", systems);
  return browser && system ? `${browser} on ${system}` : (browser ?? system);
};
