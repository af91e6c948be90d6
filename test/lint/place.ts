import path from "node:path";

/** Folders that are one unit each; under packages every folder is one. */
const unitOf = (file: string): string => {
  const [top, second] = file.split("/");
  if (top === "packages" && second) return second;
  return top && file.includes("/") ? top : "root";
};

/** Where a file stands: its unit, its path from the project's root, and whether it is a test or a test's fixture. */
export type Place = { file: string; unit: string; test: boolean };
export const placeOf = (filename: string, root: string): Place => {
  const file = path.relative(root, filename).split(path.sep).join("/");
  return { file, unit: unitOf(file), test: /\.(test|fixture)\.tsx?$|\/fixtures\//.test(file) };
};

/** The unit that a relative import leads into. */
export const unitBehind = (place: Place, specifier: string): string => unitOf(path.posix.join(path.posix.dirname(place.file), specifier));
