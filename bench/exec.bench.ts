import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bench, describe } from "vitest";

/*
 * What running costs, on the built program (`npm run build` first). Unset NODE_EXTRA_CA_CERTS before: it adds more than half
 * to the start of Node. GUARDED_SH_BENCH_MIB=10240 is the long output that the budget names;
 * a small one without it.
 */
const PROGRAM = resolve(import.meta.dirname, "../bin/guarded-sh.js");
const MIB = Number(process.env.GUARDED_SH_BENCH_MIB ?? 32);
const home = mkdtempSync(join(tmpdir(), "guarded-sh-bench-"));
const OUTPUT = `head -c ${MIB}M /dev/zero | tr '\\0' a | fold -w 100`;

/** Runs a program to its end, its output thrown away; the peak of its own memory, in MiB. */
async function peakOf(program: string, argv: readonly string[]): Promise<number> {
  const env = { PATH: process.env.PATH, HOME: home };
  const child = spawn(program, argv, { env, cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib(child.pid ?? 0));
  }, 20);
  await new Promise((done) => child.on("exit", done));
  clearInterval(timer);
  return peak;
}

function residentMib(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe("the start of a process", () => {
  const starts = { iterations: 20, time: 0, warmupIterations: 2, warmupTime: 0 };
  bench("node -e 0", () => peakOf(process.execPath, ["-e", "0"]).then(() => {}), starts);
  bench("bash -c true", () => peakOf("/bin/bash", ["-c", "true"]).then(() => {}), starts);
  bench("guarded-sh -c true", () => peakOf(process.execPath, [PROGRAM, "-c", "true"]).then(() => {}), starts);
  bench("guarded-sh run true", () => peakOf(process.execPath, [PROGRAM, "run", "true"]).then(() => {}), starts);
});

describe(`${MIB} MiB of output`, () => {
  const once = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 };
  // The bare reader: the same text on a terminal of `script`, nothing done with it.
  bench("a terminal that is only read", () => peakOf("script", ["-qec", OUTPUT, "/dev/null"]).then(() => {}), once);
  bench(
    "guarded-sh run",
    async () => {
      const peak = await peakOf(process.execPath, [PROGRAM, "run", "--timeout", "3600", OUTPUT]);
      process.stderr.write(`guarded-sh run: ${Math.round(peak)} MiB resident at most\n`);
    },
    once,
  );
  bench("guarded-sh -c", () => peakOf(process.execPath, [PROGRAM, "-c", OUTPUT]).then(() => {}), once);
});
