import { createRequire } from "node:module";

/** The SHA-256 of a text as UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  return crypto().createHash("sha256").update(text, "utf8").digest("hex");
}

/** A name that nobody else has, for a file that is written beside another one. */
export function randomName(): string {
  return crypto().randomBytes(6).toString("hex");
}

/** Loaded when it is first needed: most runs hash nothing, and all would wait for it. */
function crypto(): typeof import("node:crypto") {
  return createRequire(import.meta.url)("node:crypto") as typeof import("node:crypto");
}
