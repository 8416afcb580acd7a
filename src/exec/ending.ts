import { setTimeout as delay } from "node:timers/promises";
import type { Census } from "./census.ts";
import { GRACE_MS } from "./launch.ts";

const POLL_MS = 20;
/** How long SIGKILL is repeated: a process in an uninterruptible sleep, or one that forks faster than we look. */
const KILL_MS = 2_000;

/** Ends every process of a run: SIGTERM, after the grace SIGKILL. Resolves when none is left, or cannot be ended. */
export async function endTree(census: Census, graceMs: number = GRACE_MS): Promise<void> {
  const asked = new Set<string>();
  if (await repeat(graceMs, () => ask(census, asked))) return;
  await repeat(KILL_MS, () => signalAll(census, "SIGKILL"));
}

/** Calls `step` until it returns true or the time is over. */
async function repeat(limitMs: number, step: () => boolean): Promise<boolean> {
  for (const until = performance.now() + limitMs; ; await delay(POLL_MS)) {
    if (step()) return true;
    if (performance.now() >= until) return false;
  }
}

/** Asks each member once; what is started meanwhile is asked too. A stopped process has to be continued to hear it. */
function ask(census: Census, asked: Set<string>): boolean {
  const members = census.look();
  for (const { pid, started } of members) {
    if (asked.has(`${pid} ${started}`)) continue;
    asked.add(`${pid} ${started}`);
    signalOne(pid, "SIGTERM");
    signalOne(pid, "SIGCONT");
  }
  return members.length === 0;
}

function signalAll(census: Census, signal: NodeJS.Signals): boolean {
  const members = census.look();
  for (const { pid } of members) signalOne(pid, signal);
  return members.length === 0;
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or of another user (sudo): nothing more can be done from here.
  }
}
