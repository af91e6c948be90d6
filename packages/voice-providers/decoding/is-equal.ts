import { timingSafeEqual } from "node:crypto";

/** Compares in constant time, so that a signature cannot be guessed byte by byte. */
export const isEqual = (expected: Buffer, given: Buffer): boolean => expected.length === given.length && timingSafeEqual(expected, given);
