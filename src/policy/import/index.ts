export { AGENTS, type Agent, agentNamed, importRules } from "./import.ts";
export { ImportError, type Imported, type ImportedRule, type Item, type Lost } from "./imported.ts";
export { lossesOf, renderToml } from "./render.ts";
