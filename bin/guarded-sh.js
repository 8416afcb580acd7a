#!/usr/bin/env node
const { main, ownTerminal } = require("./load.js").load();

main(process.argv.slice(2), ownTerminal()).then((status) => {
  process.exitCode = status;
});
