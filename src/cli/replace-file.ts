import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../policy/make-folder.ts";

/** Writes a text beside a file and renames it, with the rights of the file that was there. */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  const beside = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(beside, text, { flag: "wx" });
  if (existsSync(path)) chmodSync(beside, statSync(path).mode & 0o777);
  renameSync(beside, path);
}
