import { StartError } from "../lib/run.ts";
import type { Placed, Resources } from "./resources.ts";

export type DeploymentSpec = {
  bucket: string;
  folder: string;
  prefix: string;
  headers: Record<string, string>;
  takes: (key: string) => boolean;
};

type Properties = {
  SourceObjectKeys?: string[];
  SourceMarkers?: object[];
  DestinationBucketName?: string;
  DestinationBucketKeyPrefix?: string;
  SystemMetadata?: Record<string, string>;
  Exclude?: string[];
  Include?: string[];
};

export const readDeployments = (resources: Resources): DeploymentSpec[] =>
  resources.ofType("Custom::CDKBucketDeployment").flatMap((placed) => readDeployment(resources, placed));

function readDeployment(resources: Resources, { properties, where }: Placed): DeploymentSpec[] {
  const {
    SourceObjectKeys = [],
    SourceMarkers = [],
    DestinationBucketName = "",
    DestinationBucketKeyPrefix = "",
    SystemMetadata = {},
    Exclude = [],
    Include = [],
  } = properties as Properties;
  if (SourceMarkers.some((markers) => Object.keys(markers).length > 0))
    throw new StartError(`${where}: files with values of the deployment in them do not run here.`);
  const [excluded, included] = [Exclude.map(glob), Include.map(glob)];
  return SourceObjectKeys.map((key) => {
    const folder = resources.assets.get(key);
    if (!folder) throw new StartError(`${where}: its files ${key} are not among the assets.`);
    return {
      bucket: DestinationBucketName,
      folder,
      prefix: DestinationBucketKeyPrefix,
      headers: SystemMetadata,
      takes: (inside) => !excluded.some((matches) => matches(inside)) || included.some((matches) => matches(inside)),
    };
  });
}

function glob(pattern: string): (key: string) => boolean {
  const expression = new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
  );
  return (key) => expression.test(key);
}
