import { account, region, tableSpec } from "../endpoint.fixture.ts";
import { startAws } from "../start.ts";

/** Runs an endpoint in its own process so that a test can kill it. Arguments: data folder, table name. */
const [dataDir, tableName] = process.argv.slice(2);
const aws = await startAws({
  dataDir,
  region,
  account,
  principals: () => ({ arn: `arn:aws:iam::${account}:role/writer`, statements: "all" }),
});
await aws.dynamodb.ensureTable(tableSpec(tableName ?? ""));
process.send?.(aws.url);
