import { keys, type UnmailedContactRow } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { mailUnmailed, sendContactMessage } from "./index.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
  Object.assign(process.env, { MAIL_FROM: "no-reply@vitaline.example", SUPPORT_EMAIL: "support@vitaline.example" });
});
beforeEach(() => it.fault());
afterAll(() => {
  delete process.env["MAIL_FROM"];
  delete process.env["SUPPORT_EMAIL"];
  return it.close();
});

let visitors = 0;
const visitor = (): PlatformContext => {
  const here = { ...it.platform({ kind: "nobody", id: "anonymous" }), clientAddress: `198.51.100.${++visitors}` };
  return { ...here, platform: platformStore(here) };
};
/** Makes SES fail with `code` for the mails that `rejects` selects by index; returns the number of requests. */
const sesSays = (code: string, rejects: (at: number) => boolean = () => true): { asked: number } => {
  const heard = { asked: 0 };
  it.fault(({ service }) => {
    if (service !== "ses") return undefined;
    return rejects(heard.asked++) ? { status: 400, code, message: "no" } : undefined;
  });
  return heard;
};
const send = async (count: number): Promise<void> => {
  sesSays("SendingPausedException");
  for (let at = 0; at < count; at++)
    await sendContactMessage(visitor(), { firstName: "Ann", lastName: "Lee", email: "ann@example.com", message: "hello" });
};
const due = async () => (await it.platform().platform.query<UnmailedContactRow>(keys.partitions.unmailedContact)).rows;

test("a rejected message does not block the others, and stays due", async () => {
  await send(3);
  const [first] = await due();
  sesSays("MessageRejected", (at) => at === 0);
  await mailUnmailed(it.platform());
  expect(await due()).toEqual([first]);
  it.fault();
  await mailUnmailed(it.platform());
  expect(await due()).toEqual([]);
});

test("a page of rejected messages does not block those after it", async () => {
  await send(22);
  sesSays("MessageRejected", (at) => at < 21);
  await mailUnmailed(it.platform());
  expect(await due()).toHaveLength(21);
  it.fault();
  await mailUnmailed(it.platform());
  expect(await due()).toEqual([]);
});

test("while SES accepts no mail, a run tries only once", async () => {
  await send(3);
  const heard = sesSays("SendingPausedException");
  await mailUnmailed(it.platform());
  expect([heard.asked, (await due()).length]).toEqual([1, 3]);
});
