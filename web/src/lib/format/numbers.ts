const oneDecimal = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const twoDecimals = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

export const formatCount = (count: number): string => oneDecimal.format(count);

/** "1,210 ms" */
export const formatMilliseconds = (ms: number): string => `${formatCount(Math.round(ms))} ms`;

/** "5 uses", "1 use" */
export const formatUses = (count: number): string => `${formatCount(count)} ${count === 1 ? "use" : "uses"}`;

/** One decimal. Only all is 100.0%, and only none is 0.0%. */
export const formatPercent = (percent: number): string => {
  if (percent > 99.9 && percent < 100) return "99.9%";
  return percent > 0 && percent < 0.1 ? "0.1%" : `${percent.toFixed(1)}%`;
};

/** "0%" without calls. */
export const formatSuccessRate = (successful: number, total: number): string =>
  total === 0 ? "0%" : formatPercent((successful / total) * 100);

const leastShown = 0.01;

/** Small amounts keep two decimals; a smaller positive amount is not shown as 0. */
export const formatAmount = (amount: number): string => {
  if (amount > 0 && amount < leastShown / 2) return `<${leastShown}`;
  return (Math.abs(amount) < 10 ? twoDecimals : oneDecimal).format(amount);
};

export const formatHours = (hours: number): string => `${formatAmount(hours)}h`;

/** "4 minutes", "1.5 hours" */
export const formatHoursExactly = (hours: number): string => {
  const amount = Math.round(hours * 60) < 60 ? Math.round(hours * 60) : Number(hours.toFixed(1));
  const unit = Math.round(hours * 60) < 60 ? "minute" : "hour";
  return `${formatCount(amount)} ${unit}${amount === 1 ? "" : "s"}`;
};

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const wholeDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** Whole dollars, or cents for small amounts. */
export const formatDollars = (amount: number): string => (Math.abs(amount) < 1000 ? dollars : wholeDollars).format(amount);
