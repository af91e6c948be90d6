import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pictures, pictureSize } from "./pictures.ts";

/** Source: RFC 9649, the VP8 frame header of a lossy WebP file. */
const sizeOf = (webp: Buffer): { width: number; height: number } => {
  const frame = webp.indexOf("VP8 ") + 14;
  return { width: webp.readUInt16LE(frame) & 0x3fff, height: webp.readUInt16LE(frame + 2) & 0x3fff };
};

test.each(pictures.flatMap(({ name }) => [`${name}-light`, `${name}-dark`]))("%s has the shape that its place on the page has", (name) => {
  const { width, height } = sizeOf(readFileSync(new URL(`../pictures/${name}.webp`, import.meta.url)));
  expect(width / height).toBeCloseTo(pictureSize.width / pictureSize.height, 2);
  expect(width).toBeGreaterThanOrEqual(pictureSize.width);
});
