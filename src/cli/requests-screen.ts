import type { ReadStream } from "node:tty";
import type { Reply } from "../ask/asker.ts";
import { openStore, type Store } from "../ask/database.ts";
import { proposalText, questionLines, questionSummary } from "../ask/question.ts";
import { answerRequest, type PendingRequest, pendingRequests } from "../ask/requests.ts";
import { askOnTerminal, type TerminalStreams } from "../ask/terminal.ts";
import { stateFolderFor } from "../guard.ts";
import { errorText, escapeText, shorten } from "../text/index.ts";
import { storingFor } from "./answer-requests.ts";
import type { Terminal } from "./command.ts";
import { EXIT } from "./exit.ts";

interface ScreenSetting {
  readonly session: string | undefined;
  readonly terminal: Terminal;
}

/** What the screen shows now. */
interface View {
  readonly requests: readonly PendingRequest[];
  /** Id of the request that the cursor is on. */
  readonly chosen: string | undefined;
  readonly note: string;
  readonly answered: number;
}

const LOOK_MS = 250;
const ENTER_SCREEN = "\u001b[?1049h\u001b[?25l";
const LEAVE_SCREEN = "\u001b[?25h\u001b[?1049l";

/** A live list of all that waits: read one in full, answer it. Ends with `q`. */
export async function requestsScreen({ session, terminal }: ScreenSetting): Promise<number> {
  const store = openStore(stateFolderFor(terminal.env));
  const streams: TerminalStreams = { input: terminal.stdin, output: terminal.stdout };
  const input = terminal.stdin as ReadStream;
  let view: View = { requests: [], chosen: undefined, note: "", answered: 0 };
  terminal.stdout.write(ENTER_SCREEN);
  try {
    for (;;) {
      const key = await nextKey(input, () => {
        view = refreshed(view, pendingRequests(store, session));
        draw(view, streams);
      });
      if (key === "q" || key === "\u0003" || key === "\u0004") return EXIT.ok;
      view = await noted(view, onKey(key, view, { store, streams, terminal }));
    }
  } finally {
    input.setRawMode?.(false);
    input.pause();
    terminal.stdout.write(LEAVE_SCREEN);
  }
}

/** What goes wrong with one request is told, and the screen goes on. */
async function noted(view: View, next: Promise<View>): Promise<View> {
  try {
    return await next;
  } catch (error) {
    return { ...view, note: errorText(error) };
  }
}

function refreshed(view: View, requests: readonly PendingRequest[]): View {
  if (requests.some(({ id }) => id === view.chosen)) return { ...view, requests };
  // The one under the cursor is gone: stay at its place in the list.
  const place = view.requests.findIndex(({ id }) => id === view.chosen);
  return { ...view, requests, chosen: requests[Math.min(Math.max(place, 0), requests.length - 1)]?.id };
}

/** The next key; the screen is drawn again while none comes. */
function nextKey(input: ReadStream, redraw: () => void): Promise<string> {
  input.setRawMode?.(true);
  input.setEncoding("utf8");
  redraw();
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      try {
        redraw();
      } catch (error) {
        done();
        reject(error);
      }
    }, LOOK_MS);
    const onData = (data: string) => {
      const [key, rest] = firstKey(String(data));
      done();
      if (rest !== "") input.unshift(rest);
      resolve(key);
    };
    const onEnd = () => {
      done();
      resolve("q");
    };
    function done(): void {
      clearInterval(timer);
      input.off("data", onData);
      input.off("end", onEnd);
      input.pause();
    }
    input.on("data", onData);
    input.on("end", onEnd);
    input.resume();
  });
}

function firstKey(data: string): readonly [string, string] {
  const key = /^\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])/.exec(data)?.[0] ?? data.slice(0, 1);
  return [key, data.slice(key.length)];
}

interface Desk {
  readonly store: Store;
  readonly streams: TerminalStreams;
  readonly terminal: Terminal;
}

async function onKey(key: string, view: View, desk: Desk): Promise<View> {
  const request = view.requests.find(({ id }) => id === view.chosen);
  switch (key) {
    case "\u001b[A":
    case "k":
      return moved(view, -1);
    case "\u001b[B":
    case "j":
      return moved(view, 1);
  }
  if (request === undefined) return view;
  switch (key) {
    case "\r":
    case "\n":
      return answer(request, await readAndAnswer(request, desk), view, desk);
    case "o":
      return answer(request, { kind: "once" }, view, desk);
    case "r":
      return answer(request, { kind: "reject" }, view, desk);
    case "s":
    case "p":
      if (request.proposals.length === 0) return { ...view, note: "nothing can be stored that would let this pass" };
      return answer(
        request,
        { kind: "always", proposals: request.proposals, scope: key === "s" ? "session" : "project" },
        view,
        desk,
      );
    default:
      return view;
  }
}

function moved(view: View, step: number): View {
  const place = view.requests.findIndex(({ id }) => id === view.chosen) + step;
  const chosen = view.requests[Math.min(Math.max(place, 0), view.requests.length - 1)]?.id;
  return { ...view, chosen, note: "" };
}

async function readAndAnswer(request: PendingRequest, { streams, terminal }: Desk): Promise<Reply> {
  // A policy that does not load any more is told in the list, where other requests wait.
  const storing = await storingFor(request, terminal);
  terminal.stdout.write(LEAVE_SCREEN);
  try {
    return await askOnTerminal(request, new AbortController().signal, storing, streams);
  } finally {
    terminal.stdout.write(ENTER_SCREEN);
  }
}

function answer(request: PendingRequest, reply: Reply, view: View, { store }: Desk): View {
  if (reply.kind === "cancelled") return { ...view, note: "not answered" };
  answerRequest(store, request.id, reply);
  return { ...view, note: `${request.id}: ${reply.kind}`, answered: view.answered + 1 };
}

const HELP =
  "↑ ↓ choose · Enter read in full and answer · o once · s always (session) · p always (project) · r reject · q quit";

function draw({ requests, chosen, note, answered }: View, { output }: TerminalStreams): void {
  const columns = output.columns ?? 80;
  const rows = ("rows" in output && typeof output.rows === "number" ? output.rows : 24) - 1;
  const count = requests.length === 1 ? "1 request waits" : `${requests.length} requests wait`;
  const head = [shorten(`guarded-sh: ${count}, ${answered} answered here`, columns), ...helpLines(columns), ""];
  const place = Math.max(
    0,
    requests.findIndex(({ id }) => id === chosen),
  );
  const request = requests[place];
  const details = request === undefined ? [] : detailLines(request, columns);
  const room = Math.max(3, rows - head.length - details.length - 1);
  const from = Math.max(0, Math.min(place - Math.floor(room / 2), requests.length - room));
  const list = requests
    .slice(from, from + room)
    .map((one) => `${one.id === chosen ? ">" : " "} ${one.id}  ${questionSummary(one, columns - 16)}`);
  const lines = [...head, ...list, "", ...details].slice(0, rows);
  output.write(
    `\u001b[H${[...lines, shorten(escapeText(note), columns)].map((line) => `${line}\u001b[K`).join("\r\n")}\u001b[J`,
  );
}

function helpLines(columns: number): readonly string[] {
  const lines = [""];
  for (const part of HELP.split(" · ")) {
    const last = lines.at(-1) ?? "";
    const longer = last === "" ? part : `${last} · ${part}`;
    if (longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

const MOST_DETAILS = 12;

function detailLines(request: PendingRequest, columns: number): readonly string[] {
  const { lines } = questionLines(request, columns);
  const cut = lines.slice(1, MOST_DETAILS);
  const more = lines.length > MOST_DETAILS ? [`  … ${lines.length - MOST_DETAILS} more lines: Enter`] : [];
  const always = request.proposals.map(proposalText).join(", ");
  return [...cut, ...more, ...(always === "" ? [] : [shorten(`  always would store: ${always}`, columns)])];
}
