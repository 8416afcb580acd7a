import { type Agent, hookCommand } from "./agent.ts";
import { ASKS, behaviour, hooksFile, inScope, NEVER, OPEN, settingsChange, snakeEvent } from "./claude-like.ts";

const cline: Agent = {
  name: "cline",
  title: "Cline",
  about: "Cline runs an executable file named after the event, for every tool. Only its JSON counts.",
  changes: (scope, { program, allTools }) => [
    {
      kind: "file",
      path: inScope(scope, ".cline/hooks/PreToolUse", "~/.cline/hooks/PreToolUse"),
      text: `#!/bin/sh
# guarded-sh: judges command lines before Cline runs them
${program} hook cline${allTools ? "" : " --shell-only"} || echo '{"cancel":true,"errorMessage":"guarded-sh could not be started, nothing was run"}'
`,
      executable: true,
    },
  ],
  event: (command, cwd) => ({
    payload: {
      clineVersion: "self-test",
      hookName: "PreToolUse",
      timestamp: "0",
      taskId: "self-test",
      workspaceRoots: [cwd],
      tool_call: { id: "self-test", name: "run_commands", input: { commands: [command] } },
    },
  }),
  behaviour: behaviour(
    "PreToolUse",
    "run_commands",
    "yes (`review`) in the versions that send `tool_call`; older ones get a denial",
    true,
    "120 s by default",
    "the command runs (open); the file answers a no itself when guarded-sh cannot start",
  ),
  notes: [
    "The extension for VS Code looks in `.clinerules/hooks/` and `~/Documents/Cline/Hooks/`, and hooks are switched on in its settings: `--file .clinerules/hooks/PreToolUse`.",
    "A denial stops Cline's run; the reason is shown to the user.",
  ],
};

const grok: Agent = {
  name: "grok",
  title: "Grok Build",
  about: "Grok Build waits 5 s for a hook and shows the first line of a reason.",
  changes: (scope, starting) => [
    hooksFile(inScope(scope, ".grok/hooks/guarded-sh.json", "~/.grok/hooks/guarded-sh.json"), {
      hooks: {
        PreToolUse: [
          {
            matcher: starting.allTools ? "*" : "Bash|run_terminal_command",
            hooks: [{ type: "command", command: hookCommand(starting, "grok"), timeout: 5 }],
          },
        ],
      },
    }),
  ],
  event: (command, cwd) => ({
    payload: {
      sessionId: "self-test",
      hookEventName: "PreToolUse",
      workspaceRoot: cwd,
      permissionMode: "default",
      toolName: "run_terminal_command",
      toolInput: { command },
    },
  }),
  behaviour: behaviour("PreToolUse", "Bash or run_terminal_command", NEVER, true, "5 s", OPEN),
  shell:
    "`GROK_SHELL=/path/to/a/folder/bash`: the name of the file has to be `bash`, so make a symlink to `guarded-sh` in a folder of its own.",
  notes: [
    "An allow does not lift Grok's own rules.",
    "Grok also reads the hook files of Claude Code and Cursor: configure one of them only.",
  ],
};

const goose: Agent = {
  name: "goose",
  title: "Goose",
  about: "Goose takes hooks from plugins. `on_failure` makes a broken hook a no.",
  changes: (scope, starting) => [
    hooksFile(
      inScope(scope, ".agents/plugins/guarded-sh/hooks/hooks.json", "~/.agents/plugins/guarded-sh/hooks/hooks.json"),
      {
        hooks: {
          PreToolUse: [
            {
              matcher: starting.allTools ? ".*" : "^developer__shell$",
              hooks: [{ type: "command", command: hookCommand(starting, "goose"), timeout: 10, on_failure: "block" }],
            },
          ],
        },
      },
    ),
  ],
  event: (command, cwd) => ({
    payload: {
      event: "PreToolUse",
      session_id: "self-test",
      tool_name: "developer__shell",
      tool_input: { command },
      working_dir: cwd,
      tool_call_id: "self-test",
    },
  }),
  behaviour: behaviour(
    "PreToolUse",
    "developer__shell",
    NEVER,
    false,
    "30 s by default",
    "the command runs, unless `on_failure` says `block`",
  ),
  notes: ["The event `BeforeShellExecution` cannot refuse a command."],
};

const factory: Agent = {
  name: "factory",
  title: "Factory",
  about: "Factory's droid has Claude Code's hook format; its shell tool is `Execute`.",
  changes: (scope, starting) => [
    settingsChange(
      inScope(scope, ".factory/hooks.json", "~/.factory/hooks.json"),
      "PreToolUse",
      "Execute",
      starting,
      "factory",
      10,
    ),
  ],
  event: snakeEvent("Execute", { permission_mode: "off" }),
  behaviour: behaviour("PreToolUse", "Execute", ASKS, true, "60 s by default", OPEN),
  notes: ["Older versions read hooks from `settings.json`: `--file ~/.factory/settings.json`."],
};

const crush: Agent = {
  name: "crush",
  title: "Crush",
  about: "Crush interprets commands in its own process, so a hook is the only way in. Its sub-agents call no hooks.",
  changes: (scope, starting) => [
    {
      kind: "json",
      path: inScope(scope, "crush.json", "~/.config/crush/crush.json"),
      edits: [
        {
          kind: "add",
          at: ["hooks", "PreToolUse"],
          value: { matcher: starting.allTools ? ".*" : "^bash$", command: hookCommand(starting, "crush"), timeout: 10 },
        },
      ],
    },
  ],
  event: (command, cwd) => ({
    payload: { event: "PreToolUse", session_id: "self-test", cwd, tool_name: "bash", tool_input: { command } },
  }),
  behaviour: behaviour("PreToolUse", "bash", NEVER, true, "30 s by default", OPEN),
  notes: ["Exit status 49 would stop the turn; guarded-sh never uses it."],
};

const amp: Agent = {
  name: "amp",
  title: "Amp",
  about: "Amp delegates the decision on a tool to a program: exit status 0 allows, 1 asks, 2 denies.",
  changes: (scope, { program, allTools, home }) => {
    const folder = inScope(scope, ".amp", "~/.config/amp");
    const rules = allTools ? [{ tool: "*" }] : [{ tool: "Bash", matches: { cmd: "*" } }];
    return [
      {
        kind: "file",
        path: `${folder}/guarded-sh-amp`,
        text: `#!/bin/sh
# guarded-sh: judges command lines before Amp runs them; a status that says nothing is a no
${program} hook amp
status=$?
[ "$status" -le 1 ] || status=2
exit "$status"
`,
        executable: true,
      },
      {
        kind: "json",
        path: `${folder}/settings.json`,
        edits: rules.map((rule) => ({
          kind: "add" as const,
          first: true as const,
          at: ["amp.permissions"],
          value: { ...rule, action: "delegate", to: `${folder.replace("~", home)}/guarded-sh-amp` },
        })),
      },
    ];
  },
  event: (command) => ({
    payload: { cmd: command },
    env: { AGENT_TOOL_NAME: "Bash", AMP_THREAD_ID: "self-test", AGENT: "amp" },
  }),
  behaviour: behaviour("delegate", "Bash", ASKS, false, "-", "a status of 2 or more denies (closed)"),
  notes: ["The first rule that matches decides: the one of guarded-sh is put in front."],
};

const amazonQ: Agent = {
  name: "amazon-q",
  title: "Amazon Q",
  about: "Amazon Q keeps hooks in an agent's file. Only the exit status counts; the reason goes to the model.",
  changes: (scope, starting) => [
    hooksFile(inScope(scope, ".amazonq/cli-agents/guarded-sh.json", "~/.aws/amazonq/cli-agents/guarded-sh.json"), {
      name: "guarded-sh",
      description: "The usual agent with every command judged by guarded-sh",
      tools: ["*"],
      hooks: {
        preToolUse: [
          {
            matcher: starting.allTools ? "*" : "execute_bash",
            command: hookCommand(starting, "amazon-q"),
            timeout_ms: 10_000,
          },
        ],
      },
    }),
  ],
  event: (command, cwd) => ({
    payload: {
      hook_event_name: "preToolUse",
      session_id: "self-test",
      cwd,
      tool_name: "execute_bash",
      tool_input: { command },
    },
  }),
  behaviour: behaviour("preToolUse", "execute_bash", NEVER, false, "30,000 ms by default", OPEN),
  shell: "`AMAZON_Q_CHAT_SHELL=guarded-sh`: Amazon Q runs `guarded-sh -c COMMAND`.",
  notes: ["Start it with `q chat --agent guarded-sh`, or copy the part `hooks` into your own agent's file."],
};

const iflow: Agent = {
  name: "iflow",
  title: "iFlow",
  about: "iFlow tells the call in its environment; any exit status but 0 refuses it.",
  changes: (scope, starting) => [
    settingsChange(
      inScope(scope, ".iflow/settings.json", "~/.iflow/settings.json"),
      "PreToolUse",
      "run_shell_command",
      starting,
      "iflow",
      10,
    ),
  ],
  event: (command, cwd) => ({
    ...snakeEvent("run_shell_command")(command, cwd),
    env: { IFLOW_TOOL_NAME: "run_shell_command", IFLOW_TOOL_ARGS: JSON.stringify({ command }) },
  }),
  behaviour: behaviour("PreToolUse", "run_shell_command", NEVER, false, "-", "any other status denies"),
  notes: [],
};

const opencode: Agent = {
  name: "opencode",
  title: "OpenCode",
  about:
    "OpenCode takes a tool of the same name in place of its own `bash`: guarded-sh judges, asks through OpenCode, and runs the command on a terminal of its own.",
  changes: (scope, { module }) => {
    const folder = inScope(scope, ".opencode", "~/.config/opencode");
    return [
      {
        kind: "file",
        path: `${folder}/tool/bash.js`,
        text: `// guarded-sh in place of OpenCode's own bash tool\nexport { default } from ${JSON.stringify(module("opencode-tool"))};\n`,
        executable: false,
      },
      {
        kind: "json",
        path: inScope(scope, "opencode.json", "~/.config/opencode/opencode.json"),
        edits: [{ kind: "set", at: ["permission", "guarded-sh"], value: "ask" }],
      },
    ];
  },
  event: undefined,
  behaviour: behaviour(
    "tool `bash`",
    "bash",
    'yes, under the permission `guarded-sh`; without `"guarded-sh": "ask"` OpenCode would say yes by itself',
    false,
    "-",
    "the tool answers with the failure, nothing runs (closed)",
  ),
  shell: `\`"shell": "/path/to/guarded-sh"\` in \`opencode.json\`: OpenCode's own tool runs \`guarded-sh -c COMMAND\`. Nobody can be asked there, and the exit status does not reach the model. Kilo takes \`SHELL\` the same way.`,
  notes: [
    'The plugin `guarded-sh/opencode-plugin` keeps OpenCode\'s own tool and judges every tool before it runs: `"plugin": ["guarded-sh/opencode-plugin"]`. What would be asked is denied there.',
    "`guarded-sh/opencode-plugin-v2` is for OpenCode's second line and experimental.",
    "The tool runs under OpenCode's own runtime and starts `guarded-sh` as a process: `node` has to be on PATH.",
  ],
};

/** The rest of the agents. */
export const MORE_AGENTS: readonly Agent[] = [cline, grok, goose, factory, crush, amp, amazonQ, iflow, opencode];
