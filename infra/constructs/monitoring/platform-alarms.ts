import { Construct } from "constructs";
import type { DataResources } from "../../resources/data-resources.ts";
import { alarmOn } from "./alarm.ts";
import { cloudWatchMetrics } from "./platform-metrics.ts";

/** Alarms on the platform as a whole; alarms on one resource are created with it. */
export class PlatformAlarms extends Construct {
  constructor(scope: Construct, id: string, data: DataResources) {
    super(scope, id);
    const metrics = cloudWatchMetrics(data);
    alarmOn(this, "PublicAddress", {
      data,
      description: "the public address does not answer as it should, or the canary that asks it is silent",
      metric: metrics.canaryFailures,
      threshold: 1,
      periods: 5,
      datapoints: 3,
      silenceBreaches: true,
    });
    alarmOn(this, "CertificateEnds", {
      data,
      description: "the certificate of the public address ends within three weeks",
      metric: metrics.certificateDays,
      threshold: 21,
      below: true,
    });
    alarmOn(this, "ToolFailures", {
      data,
      description: "one tool call in ten fails because a record system or AWS does not answer as it should",
      metric: metrics.toolFailures,
      threshold: 0.1,
      periods: 3,
      datapoints: 2,
    });
    alarmOn(this, "ToolDuration", {
      data,
      description: "callers wait more than 2.5 seconds for a tool",
      metric: metrics.toolDuration,
      threshold: 2500,
      periods: 3,
    });
    alarmOn(this, "EhrCircuits", {
      data,
      description: "a record system has not answered for ten minutes, and is asked only now and then",
      metric: metrics.ehrCircuits,
      threshold: 1,
      periods: 3,
      datapoints: 2,
    });
    alarmOn(this, "ToolRunsLimited", {
      data,
      description: "callers of a tenant are asked to wait, as it is over its tool runs a minute",
      metric: metrics.toolRunsLimited,
      threshold: 100,
    });
    alarmOn(this, "RefusedSignIns", {
      data,
      description: "many sign-ins, keys or signatures are refused",
      metric: metrics.refusedSignIns,
      threshold: 100,
    });
    alarmOn(this, "FirewallBlocks", {
      data,
      description: "the firewall blocks many requests",
      metric: metrics.firewallBlocks,
      threshold: 500,
    });
    alarmOn(this, "TableReadThrottles", {
      data,
      description: "DynamoDB throttles reads of the table",
      metric: metrics.tableReadThrottles,
      threshold: 1,
    });
    alarmOn(this, "TableWriteThrottles", {
      data,
      description: "DynamoDB throttles writes of the table",
      metric: metrics.tableWriteThrottles,
      threshold: 1,
    });
    alarmOn(this, "IndexReadThrottles", {
      data,
      description: "DynamoDB throttles reads of the index that lists by time",
      metric: metrics.indexReadThrottles,
      threshold: 1,
    });
    alarmOn(this, "IndexWriteThrottles", {
      data,
      description: "DynamoDB throttles writes of the index that lists by time, and soon those of the table",
      metric: metrics.indexWriteThrottles,
      threshold: 1,
    });
    alarmOn(this, "MailBounces", {
      data,
      description: "mail bounces; from 5 percent on AWS reviews the account and may stop its mail",
      metric: metrics.mailBounces,
      threshold: 0.04,
    });
    alarmOn(this, "MailComplaints", {
      data,
      description: "receivers mark mail as spam; from 0.1 percent on AWS reviews the account and may stop its mail",
      metric: metrics.mailComplaints,
      threshold: 0.0008,
    });
    alarmOn(this, "TextFailures", {
      data,
      description: "one text message in five is not delivered",
      metric: metrics.textFailures,
      threshold: 0.2,
    });
    alarmOn(this, "RemindersLate", {
      data,
      description: "reminders are sent a quarter of an hour late",
      metric: metrics.reminderAge,
      threshold: 900,
      periods: 2,
    });
    alarmOn(this, "DueWorkLate", {
      data,
      description: "retries, erasures and kept events wait a quarter of an hour",
      metric: metrics.dueWorkAge,
      threshold: 900,
      periods: 2,
    });
    alarmOn(this, "ProbesLate", {
      data,
      description: "a connection to an EHR or voice platform was not probed for a quarter of an hour",
      metric: metrics.probeAge,
      threshold: 900,
      periods: 2,
    });
    alarmOn(this, "SharesNotStarted", {
      data,
      description: "scheduled work cannot be handed out to other invocations",
      metric: metrics.sharesNotStarted,
      threshold: 1,
      periods: 3,
      datapoints: 2,
    });
    alarmOn(this, "EventsGivenUp", {
      data,
      description: "a report of a call could not be recorded in ten hours: replay it under Unprocessed Events within 30 days",
      metric: metrics.eventsGivenUp,
      threshold: 1,
    });
    alarmOn(this, "RecordsRefused", {
      data,
      description: "a changed row could not be read: totals, the list of work, reminders or webhooks lack it",
      metric: metrics.recordsRefused,
      threshold: 1,
    });
    alarmOn(this, "CostHigh", {
      data,
      description: `the account's bill of this month has reached ${data.settings.monthlyCost} US dollars`,
      metric: metrics.cost,
      threshold: data.settings.monthlyCost,
    });
  }
}
