import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { getSealedFile, putSealedFile } from "./sealed-files.ts";

let it: TestAws;
let mine: string;
let others: string;
beforeAll(async () => {
  it = await startTestAws();
  [mine, others] = it.tenants;
});
beforeEach(() => it.fault());
afterAll(() => it.close());

const bucket = () => process.env["FILES_BUCKET"]!;
const transcript = JSON.stringify(Array.from({ length: 5000 }, (_, at) => ({ role: "user", text: `Grüße ${at}` })));

test("a long text is restored unchanged, and is stored sealed and compressed", async () => {
  const file = await putSealedFile("phi", mine, `${mine}/transcript`, transcript);
  expect(await getSealedFile("phi", mine, file)).toBe(transcript);
  const stored = await it.aws.s3.get(bucket(), file.key);
  expect(stored!.body).toHaveLength(file.bytes);
  expect(file.bytes).toBeLessThan(transcript.length / 2);
  expect(stored!.body.toString()).not.toContain("Grüße");
});

test("another tenant or purpose cannot decrypt it", async () => {
  const file = await putSealedFile("phi", mine, `${mine}/text`, "text");
  await expect(getSealedFile("phi", others, file)).rejects.toMatchObject({ name: "InvalidCiphertextException" });
  await expect(getSealedFile("webhook", mine, file)).rejects.toMatchObject({ name: "InvalidCiphertextException" });
});

test("a file other than the written one is refused, also when it is valid", async () => {
  const [file, other] = [await putSealedFile("phi", mine, `${mine}/a`, "text"), await putSealedFile("phi", mine, `${mine}/b`, "other")];
  await it.aws.s3.put(bucket(), file.key, (await it.aws.s3.get(bucket(), other.key))!.body);
  await expect(getSealedFile("phi", mine, file)).rejects.toThrow("A stored file is not what was written");
});

test("a key is written once: a repeated or concurrent put returns the existing file", async () => {
  const put = (text: string) => putSealedFile("phi", mine, `${mine}/once`, text);
  const racing = await Promise.all([put("same"), put("same"), put("same")]);
  for (const file of [...racing, await put("later")]) {
    expect(file).toEqual(racing[0]);
    expect(await getSealedFile("phi", mine, file)).toBe("same");
  }
});

test("a failing bucket is unavailable", async () => {
  const file = await putSealedFile("phi", mine, `${mine}/down`, "text");
  it.fault(({ service }) => (service === "s3" ? { status: 500, code: "InternalError", message: "later" } : undefined));
  await expect(getSealedFile("phi", mine, file)).rejects.toMatchObject({ code: "unavailable" });
  await expect(putSealedFile("phi", mine, `${mine}/down`, "text")).rejects.toMatchObject({ code: "unavailable" });
});

test("a bucket that does not respond in time is unavailable, and the next put succeeds", async () => {
  const put = (withinMs: number) => putSealedFile("phi", mine, `${mine}/slow`, "text", { withinMs });
  it.fault(({ service }) => (service === "s3" ? { delayMs: 5000 } : undefined));
  const beforeMs = Date.now();
  for (const withinMs of [300, 0, -1]) await expect(put(withinMs)).rejects.toMatchObject({ code: "unavailable" });
  expect(Date.now() - beforeMs).toBeLessThan(4000);
  it.fault();
  expect(await getSealedFile("phi", mine, await put(5000))).toBe("text");
});
