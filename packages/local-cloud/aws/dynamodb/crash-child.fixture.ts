import { account, region, tableSpec } from "../endpoint.fixture.ts";
import { startAws } from "../start.ts";

/** An endpoint in a process of its own, to be killed: folder in argv, address to its parent. */
const [dataDir, tableName] = process.argv.slice(2);
const aws = await startAws({
  dataDir,
  region,
  account,
  principals: () => ({ arn: `arn:aws:iam::${account}:role/writer`, statements: "all" }),
});
await aws.dynamodb.ensureTable(tableSpec(tableName ?? ""));
process.send?.(aws.url);
