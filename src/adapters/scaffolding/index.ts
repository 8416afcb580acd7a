import { resolve } from "node:path";
import claudeCode from "./claude-code.json" with { type: "json" };
import codex from "./codex.json" with { type: "json" };
import { type CompiledFrame, compileFrame, type Frame, type FrameFile, type Places } from "./frame.ts";
import gemini from "./gemini-cli.json" with { type: "json" };
import { isInertSnapshot, isInertStartup, isPlainTarget } from "./inert.ts";
import opencode from "./opencode.json" with { type: "json" };
import { staticWord } from "./static-word.ts";

/** A call of a shell, as an agent makes it. */
export interface ShellText {
  readonly text: string;
  readonly parameters: readonly string[];
  readonly cwd: string;
  /** The environment that the text will run in. */
  readonly env: ReadonlyMap<string, string>;
}

/** A text whose frame is an agent's, to the character. */
export type Scaffold =
  | { readonly kind: "framed"; readonly agent: string; readonly frame: string; readonly payload: string }
  | { readonly kind: "declined"; readonly agent: string; readonly frame: string; readonly message: string };

/** Every frame that is known, by file. */
export const FRAME_FILES = [claudeCode, gemini, codex, opencode] as readonly FrameFile[];

/** Linux passes no longer text; the expressions are not asked about one. */
const MOST_CHARACTERS = 131_072;

/** Finds the frame of a text and the command inside it; undefined: the text is judged as it stands. */
export function recogniseScaffold(call: ShellText): Scaffold | undefined {
  if (call.text.length > MOST_CHARACTERS) return undefined;
  for (const { agents, frames } of FRAME_FILES) {
    for (const frame of frames) {
      if (!frame.starts.some((start) => call.text.startsWith(start))) continue;
      const found = matchFrame(frame, agents[0] ?? "", call);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function matchFrame(frame: Frame, agent: string, call: ShellText): Scaffold | undefined {
  const places = placesOf(call.env);
  const compiled = compileFrame(frame, places);
  const groups = compiled?.expression.exec(call.text)?.slice(1);
  if (compiled === undefined || groups === undefined) return undefined;
  const common = { agent, frame: frame.name };
  if (frame.declined !== undefined) return { kind: "declined", ...common, message: frame.declined };
  if (!surroundingsHold(frame, places, call)) return undefined;
  const payload = payloadOf(compiled, groups, call);
  return payload === undefined ? undefined : { kind: "framed", ...common, payload };
}

/** What the frame needs to be true besides its own text. */
function surroundingsHold({ startup, directoryParameter }: Frame, places: Places, call: ShellText): boolean {
  if (directoryParameter !== undefined) {
    const directory = call.parameters[directoryParameter];
    if (directory === undefined || resolve(call.cwd, directory) !== resolve(call.cwd)) return false;
  }
  const home = places.get("home")?.[0];
  return startup === undefined || (home !== undefined && isInertStartup(startup.replace("{home}", home)));
}

/** The text that is judged, when everything that was captured is as it has to be. */
function payloadOf({ frame, roles }: CompiledFrame, groups: readonly (string | undefined)[], call: ShellText) {
  const judged: string[] = [];
  for (const [at, role] of roles.entries()) {
    const text = groups[at];
    // An optional part that is not there, or the other way of two.
    if (text === undefined) continue;
    if (role === "word" || role === "text" || role === "judged") {
      const command = role === "word" ? staticWord(text) : text;
      if (command === undefined || frame.reserved?.some((word) => command.includes(word))) return undefined;
      if (frame.aliases && isReadAgain(command)) return undefined;
      judged.push(command);
    } else if (role === "written" && !isPlainTarget(text)) return undefined;
    else if (role === "snapshot" && !isInertSnapshot(text, call.env)) return undefined;
  }
  return judged.join("\n");
}

/**
 * Whether bash reads a part of a text again after another part of it ran: a second line, a substitution, `eval` and its
 * like. Braces could spell any of those names.
 */
function isReadAgain(text: string): boolean {
  const bare = text.replace(/["'\\]/g, "");
  return (
    /[$`{\n]|[<>]\(/.test(bare) ||
    /\b(?:alias|bind|compgen|complete|eval|fc|mapfile|readarray|source|trap)\b|(?:^|[\s;&|(!])\.\s/.test(bare)
  );
}

/** Only paths that need no quoting: a frame writes them bare. */
function placesOf(env: ReadonlyMap<string, string>): Places {
  const known = (...paths: readonly (string | undefined)[]) =>
    paths.flatMap((path) => (path !== undefined && /^\/[\w./+@%:,-]*$/.test(path) ? [path.replace(/\/+$/, "")] : []));
  const home = env.get("HOME");
  return new Map([
    ["home", known(home)],
    ["tmp", known("/tmp", "/private/tmp", env.get("TMPDIR"))],
    ["claude", known(home && `${home}/.claude`, env.get("CLAUDE_CONFIG_DIR"))],
    ["codex", known(home && `${home}/.codex`, env.get("CODEX_HOME"))],
  ]);
}
