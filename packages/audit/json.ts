import type { ReportFormat } from "./format.ts";

/** One array; each row of it on a line of its own. */
export const json: ReportFormat = () => {
  let isFirst = true;
  return {
    head: () => Buffer.from("["),
    rows: (rows) =>
      Buffer.from(
        rows
          .map(({ id: _id, ...row }) => {
            const before = isFirst ? "\n" : ",\n";
            isFirst = false;
            return before + JSON.stringify(row);
          })
          .join(""),
      ),
    foot: () => Buffer.from("\n]\n"),
  };
};
