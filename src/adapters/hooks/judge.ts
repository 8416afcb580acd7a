import type { Asker, Proposal } from "../../ask/index.ts";
import { type Checked, check, checkRequest, decide, type Guard } from "../../guard.ts";
import type { RequestVerdict } from "../../policy/index.ts";
import { type Refusal, reasonOf, refusalsOf } from "../../result/index.ts";
import { escapeText, shorten } from "../../text/index.ts";
import { fitting } from "./answer.ts";
import type { HookEvent, HookRequest, HookVerdict } from "./hook.ts";

/** How an event is judged. */
export interface JudgeSetting {
  /** Guards of every place whose policy speaks here; the strictest counts. */
  readonly guards: readonly [Guard, ...Guard[]];
  /** Whoever is asked instead of the host. */
  readonly asker?: Asker | undefined;
  /** What an *always* could store for a command line that is asked about. */
  readonly proposalsOf?: ((guard: Guard, checked: Checked) => readonly Proposal[]) | undefined;
}

interface Judged {
  readonly guard: Guard;
  readonly tool: string;
  readonly subject: string;
  readonly decision: "allow" | "ask" | "deny";
  readonly off: boolean;
  readonly checked: Checked | undefined;
  readonly verdict: RequestVerdict | undefined;
}

/** Judges every request of an event by every guard; the strictest decision is the verdict. */
export async function judgeEvent(event: HookEvent, setting: JudgeSetting): Promise<HookVerdict> {
  const all = event.requests.flatMap((request) => setting.guards.map((guard) => judgeRequest(guard, request)));
  const spoken = all.filter(({ off }) => !off);
  if (spoken.length === 0) return { kind: "pass", reason: "guarded-sh: there is no policy here, nothing was judged" };
  const denied = spoken.find(({ decision }) => decision === "deny");
  if (denied !== undefined) return refusal(denied, event, setting);
  const asked = spoken.filter(({ decision }) => decision === "ask");
  if (asked.length === 0) return { kind: "allow", reason: "guarded-sh: allowed by the policy" };
  if (event.asks && setting.asker === undefined) return { kind: "ask", reason: askText(asked, setting) };
  for (const one of asked) {
    const verdict = await refusal(one, event, setting);
    if (verdict.kind === "deny") return verdict;
  }
  return { kind: "allow", reason: "guarded-sh: allowed by a person" };
}

function judgeRequest(guard: Guard, { tool, names, subject }: HookRequest): Judged {
  if (tool === "bash") {
    const checked = check(guard, subject);
    const { decision, off } = checked.result;
    return { guard, tool, subject, decision, off: off === true, checked, verdict: undefined };
  }
  const verdict = spokenVerdict([tool, ...names].map((name) => checkRequest(guard, name, subject)));
  const off = verdict.because[0].kind === "off";
  return { guard, tool: verdict.request.tool, subject, decision: verdict.decision, off, checked: undefined, verdict };
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** A rule may use any name of the tool; the default speaks only where no rule does. */
function spokenVerdict(verdicts: readonly RequestVerdict[]): RequestVerdict {
  const byRule = verdicts.filter(({ because }) => because[0].kind !== "default");
  const counted = byRule.length > 0 ? byRule : verdicts.slice(0, 1);
  const [strictest] = counted.toSorted((a, b) => STRICTNESS[b.decision] - STRICTNESS[a.decision]);
  if (strictest === undefined) throw new TypeError("verdicts: there is none");
  return strictest;
}

/** The denial's text; whoever can be asked is asked, and may allow it. */
async function refusal(judged: Judged, { session }: HookEvent, { asker }: JudgeSetting): Promise<HookVerdict> {
  const options = { ...(asker === undefined ? {} : { asker }), ...(session === undefined ? {} : { session }) };
  const denial = await decide(judged.guard, judged, options);
  if (denial === undefined) return { kind: "allow", reason: "" };
  return { kind: "deny", reason: fitting(selfContained(denial.message, partsOf(judged)[0])) };
}

/** Some hosts show no more than the first line. */
function selfContained(message: string, part: Part | undefined): string {
  if (part === undefined) return message;
  const end = `${message}\n`.indexOf("\n");
  return `${message.slice(0, end)}: ${part.what}: ${part.why}${message.slice(end)}`;
}

const MOST_PARTS = 3;

/** What a person is told before they answer in the host's own dialogue. */
function askText(asked: readonly Judged[], { proposalsOf }: JudgeSetting): string {
  const parts = asked.flatMap((one) => partsOf(one).map((part) => ({ ...part, one })));
  const [first] = parts;
  const lines = [`guarded-sh: needs approval: ${first === undefined ? "this call" : `${first.what}: ${first.why}`}`];
  for (const { what, why } of parts.slice(1, MOST_PARTS)) lines.push(`  ${what}: ${why}`);
  if (parts.length > MOST_PARTS) lines.push(`  and ${parts.length - MOST_PARTS} more`);
  const proposals = asked.flatMap(({ guard, checked }) =>
    checked === undefined ? [] : (proposalsOf?.(guard, checked) ?? []),
  );
  const patterns = [...new Set(proposals.map(({ pattern }) => quoted(pattern)))];
  if (patterns.length > 0) lines.push(`a rule that would allow it: ${patterns.slice(0, MOST_PARTS).join(", ")}`);
  return fitting(lines.join("\n"));
}

interface Part {
  readonly what: string;
  readonly why: string;
}

function partsOf({ checked, verdict, tool, subject }: Judged): readonly Part[] {
  if (checked !== undefined) return refusalsOf(checked.result).map((refusal) => partOf(refusal, subject));
  const why = verdict === undefined ? "" : reasonOf(verdict.because[0]).message;
  return [{ what: `${escapeText(tool)} ${quoted(subject)}`, why }];
}

function partOf({ subject, reason }: Refusal, command: string): Part {
  return { what: quoted(subject === "" ? command : subject), why: reason.message };
}

function quoted(text: string): string {
  return `\`${escapeText(shorten(text, 120))}\``;
}
