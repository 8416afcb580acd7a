/** Time between the request to end (SIGTERM) and the order (SIGKILL), in ms. */
export const GRACE_MS = 3_000;
/** Silence after which a process that reads the terminal counts as waiting, in ms. */
export const QUIET_MS = 5_000;
/** How much of an output the spool file keeps at most, in bytes: `yes` under a long time limit must not fill the disk. */
export const MAX_SPOOL_BYTES = 4 * 1024 ** 3;
/** Spool files older than this are removed, in ms. */
export const SPOOL_AGE_MS = 7 * 24 * 3_600_000;
/** Linux passes no argument longer than this (MAX_ARG_STRLEN, the final NUL included), in bytes. */
export const MAX_ARGUMENT_BYTES = 131_072;
/** The terminal that commands see unless the caller says otherwise. */
export const DEFAULT_SIZE: Size = { columns: 120, rows: 40 };

/** The size of a terminal in character cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Everything about one run. Environment and shell are used as given: scrub and look up before. */
export interface Launch {
  /** The text, passed to `-c` byte for byte. */
  readonly commandLine: string;
  /** The script whose text `commandLine` is, as bash is to be told its path: run instead of the text. */
  readonly scriptFile?: string;
  /** `$0` of the text. */
  readonly name?: string;
  /** `$1`, `$2` … of the text; used only with a name or a script. */
  readonly parameters?: readonly string[];
  /** Absolute path of bash. */
  readonly shell: string;
  /** Options that stand before `-c`, such as `-e` or `-o pipefail`. */
  readonly shellArguments?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size?: Size;
  /** Limit from the start, in ms; none without it. */
  readonly timeoutMs?: number;
  /** How much output the result carries at most; the whole goes to a file in the spool directory. */
  readonly maxOutputBytes: number;
  /** Keep the bytes as the terminal got them: escapes, carriage returns, invalid UTF-8. */
  readonly raw?: boolean;
  /** Text on standard input, followed by its end. Without it standard input is empty. */
  readonly stdin?: string;
  /** Let the command read from the terminal, so that `write` can answer; `stdin` is then typed first. */
  readonly terminalInput?: boolean;
  /**
   * A directory of ours, made with mode 0700 if missing; an OS boundary in `prefix` must let it be written. Empty: there
   * is none, then what was left out is lost, and the directory at the end is known only of a text that cannot move.
   */
  readonly spoolDirectory: string;
  readonly maxSpoolBytes?: number;
  /** An argv that is put before the shell, for an OS boundary. */
  readonly prefix?: readonly string[];
  /** Report the exported variables at the end. */
  readonly captureState?: { readonly exports: boolean };
  /** Silence before a waiting prompt is looked for, in ms; QUIET_MS without it. */
  readonly quietMs?: number;
  /** What to do when the command waits for a key: `end` unless the terminal is its input. */
  readonly onWaiting?: "report" | "end";
}
