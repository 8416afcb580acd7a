#!/usr/bin/env node
const argv = process.argv.slice(2);

try {
  const { endOnErrors, main, ownTerminal } = require("./load.js").load();
  endOnErrors(argv);
  main(argv, ownTerminal(argv)).then((status) => {
    process.exitCode = status;
  });
} catch (error) {
  // A hook that cannot be started must still be a no, which is 2; of Node's own 1 agents think nothing.
  process.exitCode = argv[0] === "hook" ? 2 : 125;
  process.stderr.on("error", () => {}).write(`guarded-sh: it cannot be started, install it again: ${error.message}\n`);
}
