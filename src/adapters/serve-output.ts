import type { Writable } from "node:stream";
import type { CallId } from "./serve-protocol.ts";

/** Writes one JSON object a line. */
export interface LineWriter {
  readonly send: (message: unknown) => void;
  /** Output of a running call; left out, and counted, while the client does not keep up. */
  readonly sendOutput: (call: CallId, text: string) => void;
  /** Waits until the client has taken what was written. */
  readonly drained: () => Promise<void>;
  readonly closed: () => boolean;
  /** What kept it from writing; undefined when nothing did. */
  readonly failure: () => Error | undefined;
  readonly end: () => Promise<void>;
}

/** Bytes that wait in memory for a client before its output events are left out. */
const MOST_WAITING = 4 * 1024 * 1024;

/** A writer that never holds more for a slow client than its answers and a bounded amount of output. */
export function lineWriter(output: Writable): LineWriter {
  const dropped = new Map<CallId, number>();
  let gone = false;
  let failure: Error | undefined;
  output.on("error", (error) => {
    gone = true;
    failure ??= error;
  });
  output.on("close", () => {
    gone = true;
  });
  const send = (message: unknown) => {
    if (!gone) output.write(`${JSON.stringify(message)}\n`);
  };
  return {
    send,
    sendOutput(call, text) {
      if (output.writableLength > MOST_WAITING) {
        dropped.set(call, (dropped.get(call) ?? 0) + Buffer.byteLength(text));
        return;
      }
      const omitted = dropped.get(call);
      dropped.delete(call);
      send({ event: "output", params: { call, text, ...(omitted === undefined ? {} : { omitted_bytes: omitted }) } });
    },
    drained: () =>
      gone || !output.writableNeedDrain
        ? Promise.resolve()
        : new Promise((resolve) => {
            output.once("drain", resolve);
            output.once("close", resolve);
          }),
    closed: () => gone,
    failure: () => failure,
    end: () => (gone ? Promise.resolve() : new Promise((resolve) => output.end(() => resolve()))),
  };
}
