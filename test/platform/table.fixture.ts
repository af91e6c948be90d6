export { openTable, readRows, type Row } from "../kit/table.ts";
