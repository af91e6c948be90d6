import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { archiveMetadata, getArchive, putArchive } from "./archive.ts";
import { exportLink, writeExportFile } from "./export-files.ts";

const bucket = "vitaline-test-archive";
let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
  await it.aws.s3.ensureBucket({ name: bucket, versioned: true, objectLock: { days: 1, mode: "COMPLIANCE" } });
  process.env["ARCHIVE_BUCKET"] = bucket;
});
beforeEach(() => it.fault());
afterAll(async () => {
  delete process.env["ARCHIVE_BUCKET"];
  await it.close();
});

test("an archive key is written once: of concurrent puts one succeeds, and all read its metadata", async () => {
  const put = (at: number) => putArchive("archive/race", `line ${at}\n`, { at: String(at) });
  const taken = await Promise.all([0, 1, 2, 3].map(put));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await archiveMetadata("archive/race")).toEqual({ at: String(taken.indexOf(true)) });
  expect(await getArchive("archive/race")).toEqual({ lines: `line ${taken.indexOf(true)}\n` });
});

test("missing and unreadable objects are distinguished; an unavailable bucket is neither", async () => {
  await putArchive("archive/whole", "lines\n", {});
  const { body } = (await it.aws.s3.get(bucket, "archive/whole"))!;
  await it.aws.s3.put(bucket, "archive/cut", body.subarray(0, -3));
  expect(await getArchive("archive/none")).toBeUndefined();
  expect(await getArchive("archive/cut")).toEqual({});
  it.fault(({ service }) => (service === "s3" ? { status: 500, code: "InternalError", message: "later" } : undefined));
  await expect(getArchive("archive/whole")).rejects.toMatchObject({ code: "unavailable" });
  await expect(putArchive("archive/later", "lines\n", {})).rejects.toMatchObject({ code: "unavailable" });
});

test("an export of several parts is complete under its link, with its file name", async () => {
  const content = randomBytes(6_000_000);
  const pieces = async function* () {
    for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000);
  };
  expect(await writeExportFile("exports/big.csv", "text/csv; charset=utf-8", pieces())).toBe(content.length);
  const answer = await fetch(await exportLink("exports/big.csv", "audit.csv", 600));
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="audit.csv"');
});

test("an aborted export leaves nothing, before and after its first part", async () => {
  const stop = new Error("enough");
  for (const bytes of [10, 6_000_000]) {
    const pieces = async function* () {
      yield Buffer.alloc(bytes);
      await Promise.resolve();
      throw stop;
    };
    await expect(writeExportFile(`exports/${bytes}`, "text/csv", pieces())).rejects.toBe(stop);
    expect(await it.aws.s3.get(process.env["FILES_BUCKET"] ?? "", `exports/${bytes}`)).toBeUndefined();
  }
});
