// Writes V8's compiled form of the bundle beside it, after a run that has compiled what judging needs.
const { writeFileSync } = require("node:fs");
const { cache, compile, evaluate } = require("../bin/load.js");

const script = compile();
const { main } = evaluate(script);
const nowhere = { write: () => true };
const terminal = {
  stdin: process.stdin,
  stdout: nowhere,
  stderr: nowhere,
  env: { PATH: "/usr/bin:/bin" },
  cwd: "/",
  colours: false,
};

main(["check", "--json", "git status && ls -la | head -3; rm -rf build"], terminal).then(() => {
  writeFileSync(cache, script.createCachedData());
});
