import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENTS, agentPage, indexPage, mcpPage, OTHER_AGENTS, otherPage } from "../../src/adapters/agents/index.ts";
import { HOOKS } from "../../src/adapters/hooks/index.ts";

// `npm run docs:agents` writes the pages anew.
const folder = resolve(import.meta.dirname, "../../docs/agents");
const writing = process.env.WRITE_DOCS === "1";

const PAGES: readonly (readonly [string, string])[] = [
  ["README.md", indexPage(AGENTS, OTHER_AGENTS)],
  ["mcp.md", mcpPage()],
  ...AGENTS.map((agent) => [`${agent.name}.md`, agentPage(agent)] as const),
  ...OTHER_AGENTS.map((agent) => [`${agent.name}.md`, otherPage(agent)] as const),
];

describe("docs/agents", () => {
  test.each(PAGES)("%s is as the table says", (name, text) => {
    const path = join(folder, name);
    if (writing) writeFileSync(path, text);
    expect(existsSync(path) ? readFileSync(path, "utf8") : "").toBe(text);
  });

  test("holds no other page", () => {
    expect(readdirSync(folder).toSorted()).toEqual(PAGES.map(([name]) => name).toSorted());
  });

  test("every host with a hook is an agent that init configures", () => {
    const names = AGENTS.map(({ name }) => name);
    expect(HOOKS.map(({ host }) => host).filter((host) => !names.includes(host))).toEqual([]);
  });
});
