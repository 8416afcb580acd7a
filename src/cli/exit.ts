/** Every exit status of guarded-sh, with the sentence that documents it. A program's own status passes through. */
export const EXIT = {
  /** It is allowed, or it was done. */
  ok: 0,
  /** `test`, `lint` and their kin: something is wrong in what was looked at. */
  found: 1,
  /** The command line of guarded-sh or the policy is wrong. */
  usage: 2,
  /** `check`: it has to be asked. */
  ask: 3,
  /** `check`: it is denied. */
  deny: 4,
  /** `run`, `-c`: the time limit ended it. */
  timedOut: 124,
  /** `run`, `-c`: guarded-sh itself failed, nothing ran. */
  failed: 125,
  /** `run`, `-c`: denied or rejected, nothing ran. */
  refused: 126,
  /** A script that does not exist, as in bash; nothing ran. */
  notFound: 127,
} as const;
