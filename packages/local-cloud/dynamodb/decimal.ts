/** Adds two DynamoDB numbers exactly (plain decimals of at most 38 digits, as validation leaves them). */
export function addDecimals(left: string, right: string): string {
  const [a, b] = [split(left), split(right)];
  const scale = Math.max(a.scale, b.scale);
  const sum = a.digits * 10n ** BigInt(scale - a.scale) + b.digits * 10n ** BigInt(scale - b.scale);
  return join(sum, scale);
}

export function negate(number: string): string {
  return number.startsWith("-") ? number.slice(1) : `-${number}`;
}

function split(number: string) {
  const [whole, fraction = ""] = number.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function join(digits: bigint, scale: number): string {
  if (scale === 0) return digits.toString();
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  const fraction = text.slice(-scale).replace(/0+$/, "");
  const whole = text.slice(0, -scale);
  return fraction ? `${sign}${whole}.${fraction}` : whole === "0" ? "0" : sign + whole;
}
