import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { listContactMessages, mailUnmailed, sendContactMessage } from "./index.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

test("without a support address a message is stored, and not mailed", async () => {
  const ctx = it.platform({ kind: "nobody", id: "anonymous" });
  await sendContactMessage(ctx, { firstName: "Ann", lastName: "Lee", email: "ann@example.com", message: "hello" });
  await mailUnmailed(it.platform());
  expect((await listContactMessages(ctx, {})).rows).toMatchObject([{ message: "hello", mailedAt: null }]);
  expect(it.aws.ses.mails()).toEqual([]);
});
