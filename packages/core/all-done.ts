/**
 * Waits for all of it, also when one part failed, then throws the first failure of the list: Lambda freezes a function that
 * has answered, so nothing may go on by then.
 */
export async function allDone<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Part in keyof Work]: Awaited<Work[Part]> }> {
  const failed = (await Promise.allSettled(work)).find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
  return Promise.all(work);
}
