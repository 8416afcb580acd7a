import { createInterface } from "node:readline";
import { type Started, start } from "./cli.ts";
import type { Place } from "./place.ts";
import { until } from "./place.ts";

/** A message of `guarded-sh serve`. */
export interface Message {
  readonly id?: unknown;
  readonly event?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A host that talks to a `serve` process of its own. */
export interface Host {
  readonly process: Started;
  readonly messages: readonly Message[];
  /** Sends a call and gives its answer. */
  readonly call: (method: string, params: Readonly<Record<string, unknown>>) => Promise<Message>;
  readonly event: (name: string, number?: number) => Promise<Message>;
  readonly send: (line: string) => void;
  readonly end: () => Promise<void>;
}

/** Starts `serve` on standard input and output. */
export function startHost(place: Place, args: readonly string[] = [], cwd?: string): Host {
  const process = start(place, ["serve", ...args], { input: true, ...(cwd === undefined ? {} : { cwd }) });
  const messages: Message[] = [];
  const { stdout, stdin } = process.child;
  if (stdout === null || stdin === null) throw new TypeError("the host has no streams");
  createInterface({ input: stdout }).on("line", (line) => messages.push(JSON.parse(line) as Message));
  let id = 0;
  const send = (line: string) => stdin.write(`${line}\n`);
  return {
    process,
    messages,
    send,
    call(method, params) {
      id++;
      const own = id;
      send(JSON.stringify({ id: own, method, params }));
      return until(() => messages.find((message) => message.id === own), `the answer of ${method}`);
    },
    event: (name, number = 1) =>
      until(() => messages.filter(({ event }) => event === name)[number - 1], `event ${name} number ${number}`),
    async end() {
      stdin.end();
      await process.done;
    },
  };
}
