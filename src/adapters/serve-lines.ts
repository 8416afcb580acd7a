import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { LIMITS } from "../text/index.ts";
import type { LineWriter } from "./serve-output.ts";

/** A command line of the largest size, every character of it escaped as JSON may do. */
const LONGEST_LINE = LIMITS.textBytes * 7;

/**
 * The lines of a client, without empty ones. While the client does not take its answers nothing more of it is read. A line that
 * is too long comes as an empty one, and ends the connection: what follows could be a part of it.
 */
export async function* lineReader(input: Readable, writer: Pick<LineWriter, "drained">): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const chunk of input as AsyncIterable<Buffer | string>) {
      const text = rest + (typeof chunk === "string" ? chunk : decoder.write(chunk));
      const lines = text.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        await writer.drained();
        if (line.length > LONGEST_LINE) return yield "";
        if (line.trim() !== "") yield line;
      }
      if (rest.length > LONGEST_LINE) return yield "";
    }
  } catch {
    // A client that breaks off has gone away like any other.
    return;
  }
  if (rest.trim() !== "") yield rest;
}
