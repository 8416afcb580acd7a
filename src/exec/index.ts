export { type EnvironmentRules, scrubEnvironment, terminalEnvironment, withTerminalDefaults } from "./environment.ts";
export type { BackgroundProcess, Execution, Truncation } from "./execution.ts";
export { describeExit, type Exit, exitStatus, type NotStartedCode } from "./exit.ts";
export { DEFAULT_SIZE, GRACE_MS, type Launch, QUIET_MS, type Size } from "./launch.ts";
export { type PipeLaunch, runInPipes } from "./run-pipes.ts";
export { type RunningCommand, type RunOptions, runInTerminal } from "./run-terminal.ts";
export { type FoundShell, findShell } from "./shell.ts";
export { type EndSignals, endOnSignals } from "./signals.ts";
export { cleanSpool } from "./spool.ts";
