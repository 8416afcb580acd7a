// Drives real agents against a scripted model on the loopback: `node test/clients/run.mjs FOLDER [CLIENT…]`, where FOLDER
// holds node_modules/.bin with the agents. See README.md.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serveModel } from "./model.mjs";

const root = resolve(import.meta.dirname, "../..");
const program = process.env.GUARDED_SH ?? join(root, "bin/guarded-sh.js");
const [folder, ...names] = process.argv.slice(2);

const POLICY = `[permissions]
default_action = "allow"

[[permissions.rule]]
tool = "bash"
pattern = "rm *"
action = "deny"

[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "ask"
`;

/** Each: the agent for `init`, files to write first, and how the program is started. */
const CLIENTS = {
  "claude-code": {
    program: "claude",
    args: ["-p", "go", "--model", "scripted", "--allowedTools", "Bash"],
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "scripted",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    }),
  },
  codex: {
    program: "codex",
    args: [
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      "--dangerously-bypass-hook-trust",
      "go",
    ],
    env: () => ({ SCRIPTED_KEY: "scripted" }),
    user: true,
    files: ({ url }) => ({
      "home/.codex/config.toml": `model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"

[features]
hooks = true
`,
    }),
  },
  gemini: {
    program: "gemini",
    args: ["-p", "go", "--yolo", "-m", "gemini-2.5-pro"],
    env: ({ url }) => ({ GEMINI_API_KEY: "scripted", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    files: () => ({
      "home/.gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
  },
  qwen: {
    program: "qwen",
    args: ["-p", "go", "--yolo", "--auth-type", "openai", "-m", "scripted"],
    env: ({ url }) => ({ OPENAI_API_KEY: "scripted", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" }),
  },
  opencode: {
    program: "opencode",
    args: ["run", "go"],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    files: ({ url }) => ({
      "project/opencode.json": JSON.stringify({
        provider: {
          local: {
            npm: "@ai-sdk/openai-compatible",
            name: "local",
            options: { baseURL: `${url}/v1`, apiKey: "scripted" },
            models: { scripted: { name: "scripted" } },
          },
        },
        model: "local/scripted",
        permission: { bash: "allow" },
      }),
    }),
  },
};

const TRIALS = [
  { command: "ls && rm -rf x", says: /guarded-sh: denied, nothing was run/ },
  { command: "ls && git push", says: /guarded-sh|rejected|denied|permission/i },
  { command: "ls > listing && echo done here", says: /done here/ },
];

for (const name of names.length > 0 ? names : Object.keys(CLIENTS)) {
  for (const trial of TRIALS) console.log(`${name}: ${await tryClient(name, CLIENTS[name], trial)}`);
}

async function tryClient(name, client, { command, says }) {
  const world = realpathSync(mkdtempSync(join(tmpdir(), "guarded-sh-client-")));
  const model = await serveModel(command);
  try {
    const cwd = join(world, "project");
    for (const path of ["project/.git", "project/x", "home"]) mkdirSync(join(world, path), { recursive: true });
    write(world, { "project/x/file": "", "home/.config/guarded-sh/policy.toml": POLICY, ...client.files?.(model) });
    const env = { PATH: process.env.PATH, HOME: join(world, "home"), TERM: "dumb", ...client.env(model) };
    const init = spawnSync(process.execPath, [program, "init", name, ...(client.user ? ["--user"] : [])], {
      cwd,
      env,
      encoding: "utf8",
    });
    if (init.status !== 0) return `FAILED: init: ${init.stderr}`;
    const ended = await start(join(folder, "node_modules/.bin", client.program), client.args, { cwd, env });
    const said = model.results.join("\n") || ended;
    const right = existsSync(join(cwd, "x/file")) && says.test(said) && model.results.length > 0;
    return `${right ? "ok" : "FAILED"}: \`${command}\`: ${said.slice(0, process.env.VERBOSE ? 3000 : 300).replaceAll("\n", " ⏎ ")}`;
  } finally {
    model.close();
    rmSync(world, { recursive: true, force: true });
  }
}

function write(world, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(world, path, ".."), { recursive: true });
    writeFileSync(join(world, path), text);
  }
}

function start(file, args, options) {
  return new Promise((done) => {
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
    const timer = setTimeout(() => child.kill("SIGKILL"), 90_000);
    child.on("close", (status) => {
      clearTimeout(timer);
      done(`exit status ${status}: ${text.slice(-2500)}`);
    });
  });
}
