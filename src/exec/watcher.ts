import { type ChildProcess, spawn } from "node:child_process";
import { RUN_VARIABLE } from "./census.ts";
import { CLOSE_DESCRIPTORS } from "./descriptors.ts";

/**
 * Runs in bash, in a session of its own, with a pipe on standard input whose other end only we hold. `read` returns
 * when we are gone, however we ended; then the run is ended like at a time limit: $1 = its id, $2 = its root, $3 = 1
 * if the root leads a group. Inherited descriptors are closed first: another run's terminal must not stay open here.
 */
const SCRIPT = `
${CLOSE_DESCRIPTORS}read -r _ && exit
members() {
  for file in $(grep -lsaE "${RUN_VARIABLE}=[^[:cntrl:]]*$1" /proc/[0-9]*/environ); do
    file=\${file#/proc/}; echo "\${file%/environ}"
  done
}
end() {
  local signal=$1 pid; shift
  if [ "$3" = 1 ]; then kill -s "$signal" -- "-$2"; else kill -s "$signal" -- "$2"; fi
  for pid in $(members "$1"); do kill -s "$signal" "$pid"; done
}
exec 2>/dev/null
end TERM "$@"; end CONT "$@"
for _ in 1 2 3 4 5 6; do
  sleep 0.5
  [ -z "$(members "$1")" ] && ! kill -0 -- "-$2" && exit
done
for _ in 1 2 3 4 5; do end KILL "$@"; sleep 0.1; done
`;

/** Ends a run if this process dies without a chance to do it. Call the result when the run is over. */
export function watchOverRun(shell: string, id: string, root: number, leads: boolean): () => void {
  const watcher = spawn(
    shell,
    ["--noprofile", "--norc", "-c", SCRIPT, "guarded-sh-watcher", id, `${root}`, leads ? "1" : "0"],
    {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    },
  );
  // Without a watcher the run goes on: it is a second line, and a process limit would show in the command itself.
  watcher.on("error", () => {});
  watcher.stdin?.on("error", () => {});
  watcher.unref();
  unrefStream(watcher);
  return () => {
    // In this order: at the end of its input it would begin to end the run.
    watcher.kill("SIGKILL");
    watcher.stdin?.destroy();
  };
}

function unrefStream(watcher: ChildProcess): void {
  const input = watcher.stdin;
  if (input !== null && "unref" in input && typeof input.unref === "function") input.unref();
}
