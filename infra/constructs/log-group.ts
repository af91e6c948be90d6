import { RemovalPolicy } from "aws-cdk-lib";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { Data } from "../stacks/data.ts";

/** An encrypted log group with an end; one that AWS would make by itself has neither key nor end. */
export const encryptedLogGroup = (scope: Construct, id: string, { logGroupName, data }: { logGroupName: string; data: Data }): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    encryptionKey: data.filesKey,
    retention: data.settings.keepsData ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK,
    removalPolicy: data.settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
