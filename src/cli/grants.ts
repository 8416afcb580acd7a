import { CWD_OPTION, JSON_OPTION, type Verb } from "./command.ts";
import { runGrants } from "./review-grants.ts";

export const grantsVerb: Verb = {
  name: "grants",
  summary: "review and revoke what was answered with always",
  usage: ["grants [list] [--all] [--json]", "grants revoke ID…", "grants clear [--all]", "grants export [--all]"],
  options: [{ name: "all", help: "of every project, not only of this one" }, JSON_OPTION, CWD_OPTION],
  examples: [
    ["guarded-sh grants", "what the project of this directory has been granted"],
    ["guarded-sh grants export >> guarded-sh.toml", "as rules of a policy file"],
  ],
  run: (parsed, terminal) => runGrants(grantsVerb, parsed, terminal),
};
