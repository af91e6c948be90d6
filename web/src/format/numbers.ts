const oneDecimal = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const twoDecimals = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

export const formatCount = (count: number): string => oneDecimal.format(count);

/** "5 uses", "1 use". */
export const formatUses = (count: number): string => `${formatCount(count)} ${count === 1 ? "use" : "uses"}`;

/** A percentage with one decimal. */
export const formatPercent = (percent: number): string => `${percent.toFixed(1)}%`;

/** Successful calls of all calls; "0%" while there are none. */
export const formatSuccessRate = (successful: number, total: number): string =>
  total === 0 ? "0%" : formatPercent((successful / total) * 100);

/** Small amounts keep two decimals, so that a first call of two minutes already counts. */
export const formatAmount = (amount: number): string => (Math.abs(amount) < 10 ? twoDecimals : oneDecimal).format(amount);

export const formatHours = (hours: number): string => `${formatAmount(hours)}h`;

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const wholeDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** US dollars; cents as long as they matter. */
export const formatDollars = (amount: number): string => (Math.abs(amount) < 1000 ? dollars : wholeDollars).format(amount);
