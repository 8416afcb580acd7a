import { CWD_OPTION, POLICY_OPTION, type Verb } from "./command.ts";
import { runServe } from "./serve-clients.ts";

export const serveVerb: Verb = {
  name: "serve",
  summary: "answer JSON requests, one a line, on standard input and output or a Unix socket",
  usage: ["serve [--policy FILE]…", "serve --socket PATH"],
  options: [
    { name: "socket", value: "PATH", help: "listen on a Unix socket (mode 0600) for any number of clients" },
    { name: "ask-timeout", value: "SECONDS", help: "how long a request waits for its reply (default 300)" },
    POLICY_OPTION,
    CWD_OPTION,
  ],
  examples: [
    [`printf '{"id":1,"method":"check","params":{"command":"git push"}}\\n' | guarded-sh serve`, ""],
    ["guarded-sh serve --socket ~/.cache/guarded-sh.sock", ""],
  ],
  run: (parsed, terminal) => runServe(serveVerb, parsed, terminal),
};
