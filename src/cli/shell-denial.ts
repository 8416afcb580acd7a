import type { Result } from "../result/index.ts";
import { escapeText } from "../text/index.ts";
import { type Terminal, UsageError } from "./command.ts";

/** Where the denial of a shell call goes, and as what. */
export interface DenialForm {
  readonly json: boolean;
  readonly stream: "stdout" | "stderr";
}

/** Reads `GUARDED_SH_DENIAL`: `text` or `json`, and `:stdout` for hosts that hide standard error. Throws a `UsageError`. */
export function denialForm({ env }: Pick<Terminal, "env">): DenialForm {
  const value = env.GUARDED_SH_DENIAL ?? "";
  const found = /^(text|json)?(?::(stdout|stderr))?$/.exec(value);
  if (found === null)
    throw new UsageError(
      `GUARDED_SH_DENIAL is \`${escapeText(value)}\`: use text or json, and :stdout or :stderr behind it`,
    );
  return { json: found[1] === "json", stream: found[2] === "stdout" ? "stdout" : "stderr" };
}

/** Writes why nothing was run, if nothing was. */
export function writeDenial(result: Result, form: DenialForm, terminal: Terminal): void {
  if (result.denial === undefined) return;
  terminal[form.stream].write(`${form.json ? JSON.stringify(result) : result.denial.message}\n`);
}
