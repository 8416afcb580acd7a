import { readFileSync } from "node:fs";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const PARENT_MS = 1_000;

/** A signal that ends runs, until `uninstall`. */
export interface EndSignals {
  readonly signal: AbortSignal;
  uninstall(): void;
}

/**
 * Turns SIGINT, SIGTERM, SIGHUP and the death of this process's parent into an AbortSignal whose reason is a signal's
 * name. For the command line program only: a library leaves the signals of its host alone.
 */
export function endOnSignals(): EndSignals {
  const controller = new AbortController();
  const listeners = SIGNALS.filter((name) => !isIgnored(name)).map((name) => {
    const listener = () => controller.abort(name);
    process.on(name, listener);
    return { name, listener };
  });
  const stopParentWatch = watchParent(() => controller.abort("SIGHUP"));
  return {
    signal: controller.signal,
    uninstall() {
      for (const { name, listener } of listeners) process.off(name, listener);
      stopParentWatch();
    },
  };
}

/** Under `nohup` a run is meant to outlive the shell it was started from. */
function watchParent(onDeath: () => void): () => void {
  const parent = process.ppid;
  if (parent === 1 || isIgnored("SIGHUP")) return () => {};
  const timer = setInterval(() => {
    if (process.ppid !== parent) onDeath();
  }, PARENT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Signals that were ignored when this process started; only SIGHUP is left so by the tools people use. */
function isIgnored(name: (typeof SIGNALS)[number]): boolean {
  if (name !== "SIGHUP") return false;
  const mask = /^SigIgn:\s*([0-9a-f]+)/m.exec(ownStatus())?.[1];
  return mask !== undefined && (BigInt(`0x${mask}`) & 1n) === 1n;
}

function ownStatus(): string {
  try {
    return readFileSync("/proc/self/status", "latin1");
  } catch {
    // no procfs: nobody says what was ignored
    return "";
  }
}
