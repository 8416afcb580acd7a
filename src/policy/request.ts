import { posix } from "node:path";
import type { Context } from "./context.ts";
import type { Decision } from "./decision.ts";
import { matchPath, PathSubject } from "./path-match.ts";
import { isOwnPath } from "./protection.ts";
import { type Reason, type Reasons, strictestFirst } from "./reason.ts";
import type { Document, Policy } from "./rule.ts";
import { isPathTool, namesTool, toolNames } from "./tool.ts";
import { defaultOf, isOff, voteOf } from "./vote.ts";
import { compileWildcard, matchesWildcard } from "./wildcard.ts";

/** A call of any tool but bash: its subject is a path, a URL or any text. */
export interface ToolRequest {
  /** `file_write`, `read`, `webfetch`, `server.tool`. */
  readonly tool: string;
  readonly subject: string;
}

export interface RequestVerdict {
  readonly request: ToolRequest;
  readonly decision: Decision;
  readonly because: Reasons;
}

/** Judges a tool call. A command line is judged by `evaluate`: its text alone would hide what it runs. */
export function evaluateRequest(request: ToolRequest, policy: Policy, context: Context): RequestVerdict {
  if (request.tool === "bash") throw new TypeError("tool: `bash` is judged by its segments, not by its text");
  if (isOff(policy)) return { request, decision: "allow", because: [{ kind: "off", decision: "allow" }] };
  const path = isPathTool(request.tool)
    ? new PathSubject(posix.resolve(context.cwd, homeless(request.subject, context)), accessOf(request.tool), context)
    : undefined;
  const vote = voteOf(
    policy,
    (index) => index.all,
    (rule) => {
      if (!namesTool(rule.toolPattern, request.tool)) return "no";
      if (path !== undefined) return matchPath(rule, path);
      return matchesWildcard(rule.text, request.subject) ? "certainly" : "no";
    },
  );
  const own = protectedRequest(request, context);
  const because = strictestFirst([...vote.reasons, ...(vote.decided ? [] : [defaultOf(policy)]), ...own]);
  return { request, decision: because[0].decision, because };
}

/** Writing to guarded-sh's own files; a tool that nobody knows may write to the path that it is given. */
function protectedRequest({ tool, subject }: ToolRequest, context: Context): Reason[] {
  if (context.own === undefined || READING_TOOLS.has(tool) || toolNames("webfetch").includes(tool)) return [];
  const path = posix.resolve(context.cwd, homeless(subject, context));
  if (!isOwnPath(path, context)) return [];
  const decision = isPathTool(tool) ? "deny" : "ask";
  const message = `changes what guarded-sh itself goes by (${path}): no rule can allow that`;
  return [{ kind: "protection", decision, message }];
}

const READING_TOOLS = new Set([
  ...toolNames("file_read"),
  "external_directory",
  "grep",
  "glob",
  "list",
  "ls",
  "doom_loop",
]);

/** Editors and agents expand a leading `~` themselves; a rule must not be passed by spelling the path so. */
function homeless(path: string, { home }: Context): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

function accessOf(tool: string): "read" | "write" {
  return toolNames("file_read").includes(tool) ? "read" : "write";
}

/** The tools that no request can pass: a host need not even offer them to the model. */
export function disabledTools(tools: readonly string[], policy: Policy): string[] {
  return tools.filter((tool) => policy.documents.some((document) => !document.off && deniesWholly(document, tool)));
}

/** Up to the first rule that takes everything, there is nothing but deny. */
function deniesWholly(document: Document, tool: string): boolean {
  const rules = document.rules.filter((rule) => namesTool(rule.toolPattern, tool));
  const inOrder = document.order === "first-match" ? rules : rules.toReversed();
  const end = inOrder.findIndex((rule) => rule.catchAll);
  const reached = end < 0 ? inOrder : inOrder.slice(0, end + 1);
  if (reached.some((rule) => rule.decision !== "deny")) return false;
  if (end >= 0) return true;
  if (document.bases.length > 0) return document.bases.some((base) => deniesWholly(base, tool));
  return document.otherwise === "deny" && document.trusted;
}

/** A rule of the plain form, in the words of OpenCode. */
export interface PermissionRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: Decision;
}

/**
 * The plain evaluation of OpenCode's rule sets: joined in order, the last rule whose permission and pattern match decides,
 * and without one the answer is to ask. Pure text against pattern; for a command line use `evaluate`.
 */
export function evaluatePermission(
  permission: string,
  pattern: string,
  ...rulesets: readonly (readonly PermissionRule[])[]
): PermissionRule {
  const found = rulesets
    .flat()
    .findLast(
      (rule) =>
        matchesWildcard(compileWildcard(slashed(rule.permission)), slashed(permission)) &&
        matchesWildcard(compileWildcard(slashed(rule.pattern)), slashed(pattern)),
    );
  return found ?? { permission, pattern: "*", action: "ask" };
}

function slashed(text: string): string {
  return text.replaceAll("\\", "/");
}
