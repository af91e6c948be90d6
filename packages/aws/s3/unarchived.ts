import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { envReader } from "@vitaline/core";
import * as z from "zod/mini";
import { asUnavailable } from "../unavailable.ts";
import { s3 } from "./sealed-files.ts";

const environment = envReader(z.object({ UNARCHIVED_BUCKET: z.string() }));
const refuse = (error: unknown): never => {
  throw asUnavailable(error);
};

/** Names of the stream batches that Lambda gave up and stored, oldest first within a shard. */
export async function unarchivedNames(): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3() }, { Bucket: environment().UNARCHIVED_BUCKET }))
      names.push(...Contents.flatMap(({ Key }) => Key ?? []));
  } catch (error) {
    throw asUnavailable(error);
  }
  return names;
}

export async function readUnarchived(name: string): Promise<string> {
  const { Body } = await s3()
    .send(new GetObjectCommand({ Bucket: environment().UNARCHIVED_BUCKET, Key: name }))
    .catch(refuse);
  return (await Body?.transformToString()) ?? "";
}

export async function forgetUnarchived(name: string): Promise<void> {
  await s3()
    .send(new DeleteObjectCommand({ Bucket: environment().UNARCHIVED_BUCKET, Key: name }))
    .catch(refuse);
}
