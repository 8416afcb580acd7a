import { randomUUID } from "node:crypto";
import { applyGrants, applyGrantsToCall, type Granted } from "./ask/apply-grants.ts";
import { type Asker, type AskPart, type AskRequest, OWN_SESSION, type RequestId } from "./ask/asker.ts";
import { openExistingStore } from "./ask/database.ts";
import { type Answer, exchange } from "./ask/exchange.ts";
import { type GrantRule, grantRule } from "./ask/grant-rules.ts";
import { type Grant, grantsFor } from "./ask/grants.ts";
import { logDecision } from "./ask/log.ts";
import { projectIdOf } from "./ask/project.ts";
import { type Asked, partsOf, proposalsOf, settingOf, storingFor } from "./ask/proposals.ts";
import type { LoadedPolicy } from "./policy/index.ts";
import { reasonOf } from "./result/index.ts";

/** What a question needs to know besides what is asked. */
export interface ApprovalSetting {
  readonly stateFolder: string;
  readonly files: LoadedPolicy["files"];
  /** Undefined: the caller has none, and shares nothing with others. */
  readonly session: string | undefined;
  readonly asker: Asker;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** More reasons to ask than the policy's. */
  readonly reasons: readonly string[];
  /** Why it is asked, in place of what the policy says. */
  readonly why?: string | undefined;
  readonly onAsked?: ((request: AskRequest) => void) | undefined;
  readonly onReplied?: ((request: AskRequest, answer: Answer) => void) | undefined;
}

/** How a question ended. */
export interface Approval {
  readonly answer: Answer;
  readonly request: AskRequest;
  /** With the asks that grants have answered; undefined when they did not, or it is no command line. */
  readonly granted: Granted["evaluation"] | undefined;
}

/** Has everything that is asked answered: by grants, or by whoever can. Throws a `StoreError`. */
export async function approve(asked: Asked, setting: ApprovalSetting): Promise<Approval> {
  const request = requestFor(asked, setting);
  let granted: Granted["evaluation"] | undefined;
  const answer = await exchange(
    {
      stateFolder: setting.stateFolder,
      request,
      answeredBy: (grants) => {
        const found = answerOf(asked, grants);
        granted = found?.evaluation;
        return found?.used;
      },
      storing: storingFor(asked, request.parts),
    },
    setting,
  );
  logAnswer(setting, request, answer);
  return { answer, request, granted: answer.kind === "granted" ? granted : undefined };
}

/** The evaluation of a command line with what grants answer, for a host that asks by itself. Throws a `StoreError`. */
export function answeredByGrants(
  asked: Asked & { readonly kind: "text" },
  { stateFolder, files, session }: Pick<ApprovalSetting, "stateFolder" | "files" | "session">,
): Granted["evaluation"] {
  const store = openExistingStore(stateFolder);
  if (store === undefined) return asked.evaluation;
  const grants = grantsFor(store, projectOf(asked, files), session ?? ownSession());
  return applyGrants(asked, rulesFor(asked, grants)).evaluation;
}

/** The question as it is put to a person. */
export function requestFor(
  asked: Asked,
  { files, session, reasons, why }: Pick<ApprovalSetting, "files" | "session" | "reasons" | "why">,
): AskRequest {
  const parts = partsOf(asked, (reason) => why ?? reasonOf(reason, asked.context.cwd).message);
  const call = asked.kind === "call" ? asked.verdict.request : undefined;
  return {
    id: shortId(),
    session: session ?? ownSession(),
    project: projectOf(asked, files),
    tool: call?.tool ?? "bash",
    text: asked.kind === "text" ? asked.segmentation.source.text : asked.verdict.request.subject,
    cwd: asked.context.cwd,
    parts,
    reasons: [...reasons, ...new Set(parts.map(({ reason }) => reason))],
    proposals: proposalsOf(asked, parts),
    policyFiles: files.filter(({ layer }) => layer === "given").map(({ path }) => path),
    createdAt: new Date().toISOString(),
  };
}

/** The rules that a person could add so that it is not asked again, as they are written in a policy file. */
export function missingRules({ parts, proposals }: Pick<AskRequest, "parts" | "proposals">): readonly string[] {
  const rules = proposals.length > 0 ? proposals : parts.flatMap((part: AskPart) => part.proposals.slice(0, 1));
  return rules.map(
    ({ tool, pattern }) => `tool = ${JSON.stringify(tool)}, pattern = ${JSON.stringify(pattern)}, action = "allow"`,
  );
}

function projectOf({ context }: Asked, files: LoadedPolicy["files"]): string {
  return projectIdOf(context.cwd, files.findLast(({ layer }) => layer === "project")?.path);
}

/** A process without a session is one of its own. */
function ownSession(): string {
  return `${OWN_SESSION}${process.pid} ${Math.round(performance.timeOrigin)}`;
}

function shortId(): RequestId {
  return randomUUID().replaceAll("-", "").slice(0, 12) as string as RequestId;
}

function rulesFor({ context }: Asked, grants: readonly Grant[]): readonly GrantRule[] {
  return grants.map((grant) => grantRule(grant, settingOf(context)));
}

function answerOf(
  asked: Asked,
  grants: readonly Grant[],
): { readonly used: readonly number[]; readonly evaluation?: Granted["evaluation"] } | undefined {
  const rules = rulesFor(asked, grants);
  if (asked.kind === "call") {
    const { verdict, used } = applyGrantsToCall(asked.verdict, rules, asked.context);
    return verdict.decision === "allow" ? { used: idsOf(used) } : undefined;
  }
  const { evaluation, used } = applyGrants(asked, rules);
  return evaluation.decision === "allow" ? { used: idsOf(used), evaluation } : undefined;
}

function idsOf(used: readonly GrantRule[]): readonly number[] {
  return used.flatMap(({ id }) => id ?? []);
}

function logAnswer({ stateFolder }: ApprovalSetting, request: AskRequest, answer: Answer): void {
  const { session, project, cwd, tool, text, parts } = request;
  const feedback = answer.kind === "reject" ? answer.feedback : undefined;
  logDecision(stateFolder, {
    version: 1,
    at: new Date().toISOString(),
    session,
    project,
    cwd,
    tool,
    text,
    outcome: outcomeOf(answer),
    parts: parts.map(({ tool, subject, proposals }) => ({ tool, subject, pattern: proposals[0]?.pattern ?? null })),
    ...(feedback === undefined ? {} : { feedback }),
  });
}

function outcomeOf(answer: Answer): string {
  switch (answer.kind) {
    case "once":
    case "always":
    case "granted":
    case "cascade":
    case "cancelled":
      return answer.kind;
    case "reject":
      return answer.feedback === undefined ? "rejected" : "corrected";
    case "unavailable":
      return "ask-unavailable";
    case "timeout":
      return "ask-timeout";
  }
}
