import { constants } from "node:os";

/** Why nothing was started; a stable name for each cause. */
export type NotStartedCode = "no-directory" | "no-shell" | "too-long" | "no-terminal" | "no-spool" | "system";

/** How a run ended. */
export type Exit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signaled"; readonly signal: string }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "cancelled"; readonly by: "caller" | "waiting" }
  | { readonly kind: "cancelled"; readonly by: "signal"; readonly signal: string }
  | { readonly kind: "not-started"; readonly code: NotStartedCode; readonly message: string; readonly help: string };

/** The status a shell would give for an end: 128+n for a signal, 124 when we ended it, 125 when nothing ran. */
export function exitStatus(exit: Exit): number {
  switch (exit.kind) {
    case "exited":
      return exit.code;
    case "signaled":
      return 128 + signalNumber(exit.signal);
    case "timed-out":
      return 124;
    case "cancelled":
      return cancelledStatus(exit);
    case "not-started":
      return 125;
  }
}

/** The end as a sentence fragment for a person or a model: `exit 3`, `killed by SIGKILL`. */
export function describeExit(exit: Exit): string {
  switch (exit.kind) {
    case "exited":
      return `exit ${exit.code}`;
    case "signaled":
      return `killed by ${exit.signal}`;
    case "timed-out":
      return `timed out after ${exit.afterMs / 1000} s, everything it started was ended`;
    case "cancelled":
      return exit.by === "waiting"
        ? "ended because it waited for input that nobody can give"
        : `cancelled${exit.by === "signal" ? ` by ${exit.signal}` : ""}, everything it started was ended`;
    case "not-started":
      return `not started: ${exit.message}`;
  }
}

function cancelledStatus(exit: Extract<Exit, { kind: "cancelled" }>): number {
  switch (exit.by) {
    case "signal":
      return 128 + signalNumber(exit.signal);
    case "waiting":
      return 124;
    case "caller":
      return 128 + constants.signals.SIGINT;
  }
}

function signalNumber(name: string): number {
  const known = new Map<string, number>(Object.entries(constants.signals));
  return known.get(name) ?? 0;
}
