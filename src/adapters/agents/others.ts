/** An agent that has no hook to configure: it takes guarded-sh as its shell or as an MCP server. */
export interface OtherAgent {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly shell?: string;
  readonly notes: readonly string[];
}

/** Agents that `init` does not configure. */
export const OTHER_AGENTS: readonly OtherAgent[] = [
  {
    name: "roo",
    title: "Roo Code",
    about: "Roo Code has no hooks. It can run its commands through another shell.",
    shell:
      "Set `execaShellPath` in the global settings to the path of `guarded-sh`; it counts when the terminal's shell integration is off, which is the default. Roo then runs `guarded-sh -c COMMAND`.",
    notes: ["Nobody can be asked there but the queue: `GUARDED_SH_APPROVER=queue` and `guarded-sh requests`."],
  },
  {
    name: "continue",
    title: "Continue",
    about: "Continue has no hooks. It runs the user's shell.",
    shell: "Start Continue with `SHELL=/path/to/guarded-sh`: it runs `$SHELL -l -c COMMAND`.",
    notes: [],
  },
  {
    name: "kilo",
    title: "Kilo Code",
    about: "The newer Kilo Code is built on OpenCode and takes the same shell and the same plugins.",
    shell: "Start Kilo with `SHELL=/path/to/guarded-sh`: only fish and nu are refused there.",
    notes: ["The plugin and the tool file of the page about OpenCode work in Kilo's own folders; this is not tried."],
  },
  {
    name: "zed",
    title: "Zed",
    about: "Zed's own agent has no hooks, and its terminal setting is about the terminals of the user.",
    notes: ["Agents that run inside Zed over ACP keep their own configuration: see their pages."],
  },
];
