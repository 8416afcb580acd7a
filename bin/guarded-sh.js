#!/usr/bin/env node
const { main, ownTerminal } = require("../dist/cli.cjs");

main(process.argv.slice(2), ownTerminal()).then((status) => {
  process.exitCode = status;
});
