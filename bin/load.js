// Loads the bundle with V8's own compiled form beside it, which halves the time to start. The form belongs to one version
// of Node; with any other, or without it, the bundle is compiled as usual.
const { existsSync, readFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");
const vm = require("node:vm");

const folder = join(__dirname, "..", "dist");
const bundle = join(folder, "cli.cjs");
const cache = join(folder, `cli-${process.versions.v8}-${process.arch}.cache`);

/** The bundle's script, not yet run. */
function compile(cachedData) {
  return new vm.Script(Module.wrap(readFileSync(bundle, "utf8")), {
    filename: bundle,
    cachedData,
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Runs a compiled bundle and gives what it exports. */
function evaluate(script) {
  const module = new Module(bundle);
  // The chunks beside it require it: without this they would load a second one.
  Module._cache[bundle] = module;
  script.runInThisContext()(module.exports, Module.createRequire(bundle), module, bundle, folder);
  return module.exports;
}

function load() {
  if (vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER === undefined || !existsSync(cache)) return require(bundle);
  return evaluate(compile(readFileSync(cache)));
}

module.exports = { cache, compile, evaluate, load };
