/** US dollars in us-east-1, on-demand, without free tiers and discounts, as AWS's price pages had them on that day. */
export const pricesOf = "2026-11-27";

export const prices = {
  tableWriteUnit: 0.625 / 1e6,
  tableReadUnit: 0.125 / 1e6,
  /** Table, its backups for point-in-time recovery, and the daily backup: GB-month. */
  tableStorage: 0.25 + 0.2 + 0.1,
  lambdaRequest: 0.2 / 1e6,
  /** arm64, GB-second. */
  lambdaSecond: 0.0000133334,
  httpApiRequest: 1 / 1e6,
  cloudFrontRequest: 1 / 1e6,
  firewallRequest: 0.6 / 1e6,
  kmsRequest: 0.03 / 1e4,
  s3Write: 0.005 / 1e3,
  logs: 0.5,
  traces: 5 / 1e6,
  /** What costs the same without calls: firewall rules, KMS keys, secrets, alarms, Contributor Insights. */
  fixed: 49,
} as const;
