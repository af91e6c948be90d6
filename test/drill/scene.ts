import type { AwsOptions } from "../../packages/local-cloud/aws/index.ts";
import type { Platform } from "../../packages/local-cloud/platform.ts";
import type { Breakable } from "./breakable.ts";
import type { Timeline } from "./timeline.ts";

export type Spec = Platform["cloud"]["monitoring"]["specs"][number];
export type Scene = {
  platform: Platform;
  dataDir: string;
  breakable: Breakable;
  timeline: Timeline;
  /** Breaks AWS calls until it is called without a hook. */
  fault(hook?: AwsOptions["fault"]): void;
};

/** What makes an alarm start. It is repeated once a period, for as many periods as the alarm evaluates. */
export type Cause = {
  words: string;
  /** Not while the others happen: it takes long, or the others would disturb it. */
  alone?: true;
  /** In a minute of its own, as a rate counts every invocation of its minute. */
  apart?: true;
  /** After the others of the same moment: what waits for the clock must not wait for their real time. */
  last?: true;
  happen: (scene: Scene, alarm: Spec) => void | Promise<void>;
};

export const functionOf = ({ rule }: Spec): string => rule.metric.dimensions["FunctionName"] ?? "";
export const specOf = ({ platform }: Scene, name: string) => platform.cloud.functions.find((spec) => spec.name === name)!;
export const named = (scene: Scene, name: string) =>
  specOf(scene, scene.platform.cloud.functions.find((spec) => spec.name.endsWith(`-${name}`))!.name);
