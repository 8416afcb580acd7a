import { nearestWord } from "../../text/index.ts";
import { toolNames } from "../tool.ts";
import type { Check } from "./check.ts";

/** Tools of guarded-sh and of the agents that it has adapters for. */
export const KNOWN_TOOLS: readonly string[] = [
  "bash",
  ...toolNames("file_read"),
  ...toolNames("file_write"),
  ...toolNames("webfetch"),
  "external_directory",
  "doom_loop",
  "grep",
  "glob",
  "list",
  "ls",
  "task",
  "skill",
  "lsp",
  "question",
  "plan",
  "todowrite",
  "todoread",
  "websearch",
  "web_search",
  "codesearch",
  "notebookedit",
  "notebookread",
];

/** A rule for a tool that no host has. Names of MCP servers hold a dot, a `__` or a wildcard. */
export const unknownTool: Check = ({ rules }) =>
  rules.flatMap(({ rule: { tool, decision }, spanOf, table }) => {
    if (/[*?.]|__/.test(tool) || tool.startsWith("mcp_") || KNOWN_TOOLS.includes(tool)) return [];
    const lower = tool.toLowerCase();
    const near = KNOWN_TOOLS.includes(lower) ? lower : nearestWord(tool, KNOWN_TOOLS);
    // An allow that matched nothing so far is for its author to mend.
    const certain = near === lower && table !== undefined && decision !== "allow";
    return [
      {
        code: "unknown-tool" as const,
        span: spanOf("tool"),
        message: `no tool is called \`${tool}\`: the rule matches nothing`,
        help:
          near === undefined
            ? "name the tool as the host does: `bash`, `file_write`, `server.tool`"
            : `did you mean \`${near}\`?`,
        ...(certain ? { fix: { span: spanOf("tool"), text: JSON.stringify(near) } } : {}),
      },
    ];
  });
