import { type Asker, type AskRequest, DEFAULT_ASK_TIMEOUT_MS, neverAsker, type Reply, type Storing } from "./asker.ts";
import { openExistingStore, openStore, type Store } from "./database.ts";
import { type Grant, grantsFor, touchGrants } from "./grants.ts";
import { thisProcess } from "./owner.ts";
import { addRequest, closeRequest, noteLife, stateOf } from "./requests.ts";

/** Everything that is needed to have a question answered. */
export interface Question {
  /** Folder of the database. */
  readonly stateFolder: string;
  readonly request: AskRequest;
  /** Which of the grants answer all of it; undefined when something is left open. */
  readonly answeredBy: (grants: readonly Grant[]) => readonly number[] | undefined;
  readonly storing: Storing;
}

export interface ExchangeOptions {
  readonly asker: Asker;
  readonly signal: AbortSignal;
  /** ms; five minutes without it. */
  readonly timeoutMs?: number | undefined;
  readonly onAsked?: ((request: AskRequest) => void) | undefined;
  readonly onReplied?: ((request: AskRequest, reply: Answer) => void) | undefined;
}

/** How a question ended: as somebody replied, or because grants cover it. */
export type Answer = Reply | { readonly kind: "granted"; readonly grants: readonly number[] };

/** ms between two looks at the database. */
const LOOK_MS = 100;
const LIFE_MS = 5000;

/**
 * Has a question answered: by the grants that are there, else by whoever comes first: the asker, another process, a grant that
 * is given meanwhile, the time limit or the caller's signal. Throws a `StoreError` when the database cannot be used.
 */
export async function exchange(question: Question, options: ExchangeOptions): Promise<Answer> {
  const { asker } = options;
  const store = asker === neverAsker ? openExistingStore(question.stateFolder) : openStore(question.stateFolder);
  if (store === undefined) return asker.ask(question.request, options.signal, question.storing);
  const granted = answerFromGrants(store, question);
  if (granted !== undefined) return granted;
  if (asker === neverAsker) return asker.ask(question.request, options.signal, question.storing);
  return askAndWait(store, question, options);
}

function answerFromGrants(store: Store, { request, answeredBy }: Question): Answer | undefined {
  const grants = grantsFor(store, request.project, request.session);
  const used = grants.length === 0 ? undefined : answeredBy(grants);
  if (used === undefined) return undefined;
  touchGrants(store, used, new Date());
  return { kind: "granted", grants: used };
}

async function askAndWait(store: Store, question: Question, options: ExchangeOptions): Promise<Answer> {
  const { request } = question;
  if (options.signal.aborted) return { kind: "cancelled" };
  addRequest(store, request, thisProcess(), options.asker.screen);
  let answer: Answer = { kind: "cancelled" };
  try {
    options.onAsked?.(request);
    answer = await firstAnswer(store, question, options);
  } finally {
    answer = settle(store, request, answer);
    options.onReplied?.(request, answer);
  }
  return answer;
}

/** A grant that was looked up has its effect already; everything else takes it now, unless somebody was faster. */
function settle(store: Store, request: AskRequest, answer: Answer): Answer {
  if (answer.kind !== "granted") return closeRequest(store, request.id, answer);
  const other = closeRequest(store, request.id, { kind: "once" });
  return other.kind === "once" ? answer : other;
}

function firstAnswer(store: Store, question: Question, options: ExchangeOptions): Promise<Answer> {
  const { asker, signal, timeoutMs = DEFAULT_ASK_TIMEOUT_MS } = options;
  const { request } = question;
  const ended = new AbortController();
  return new Promise<Answer>((resolve, reject) => {
    const end = (answer: Answer) => {
      stop();
      resolve(answer);
    };
    const fail = (error: unknown) => {
      stop();
      reject(error);
    };
    const onAbort = () => end({ kind: "cancelled" });
    const limit = setTimeout(() => end({ kind: "timeout", afterMs: timeoutMs }), timeoutMs);
    const watch = watchRequest(store, question, { end, fail, ask });
    function ask(): void {
      asker
        .ask(request, ended.signal, question.storing)
        .then((reply) => end(checked(reply, question)))
        .catch(fail);
    }
    function stop(): void {
      clearTimeout(limit);
      clearInterval(watch);
      signal.removeEventListener("abort", onAbort);
      ended.abort();
    }
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** An *always* that would not hold is a mistake of whoever asked: nothing runs. */
function checked(reply: Reply, { storing }: Question): Reply {
  const why = reply.kind === "always" ? storing.whyNot(reply.proposals) : undefined;
  if (why !== undefined) throw new TypeError(`the reply \`always\` cannot be stored: ${why}`);
  return reply;
}

interface Watcher {
  readonly end: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
  /** Called once, when the request's turn on its screen has come. */
  readonly ask: () => void;
}

function watchRequest(store: Store, question: Question, { end, fail, ask }: Watcher): NodeJS.Timeout {
  const { request } = question;
  let asked = false;
  let seen = 0;
  let life = Date.now();
  const look = () => {
    try {
      const state = stateOf(store, request.id);
      if (state.kind === "gone") return end({ kind: "unavailable", why: "the request was removed by another process" });
      if (state.kind === "answered") return end(state.reply);
      const granted = state.recheck > seen ? answerFromGrants(store, question) : undefined;
      seen = state.recheck;
      if (granted !== undefined) return end(granted);
      if (Date.now() - life > LIFE_MS) noteLife(store, request.id);
      if (Date.now() - life > LIFE_MS) life = Date.now();
      if (asked || !state.turn) return;
      asked = true;
      ask();
    } catch (error) {
      fail(error);
    }
  };
  const timer = setInterval(look, LOOK_MS);
  queueMicrotask(look);
  return timer;
}
