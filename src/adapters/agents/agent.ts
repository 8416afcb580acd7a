/** Where an agent is configured: for one project, or for the user. */
export type InitScope = "project" | "user";

/** One change to one file. Paths begin with `~/` or are relative to the project. */
export type Change =
  /** A value in a JSON or JSONC file, all else left as it is. */
  | { readonly kind: "json"; readonly path: string; readonly edits: readonly JsonEdit[] }
  /** Tables at the end of a TOML file. */
  | { readonly kind: "toml"; readonly path: string; readonly text: string }
  /** A file of our own. */
  | { readonly kind: "file"; readonly path: string; readonly text: string; readonly executable: boolean };

export type JsonPath = readonly (string | number)[];

export type JsonEdit =
  /** Adds to a list, at its end or in front. */
  | { readonly kind: "add"; readonly at: JsonPath; readonly value: unknown; readonly first?: true }
  /** Sets a field that is not there yet. */
  | { readonly kind: "default"; readonly at: JsonPath; readonly value: unknown }
  /** Sets a field; a word in the place of the object becomes its entry `*`. */
  | { readonly kind: "set"; readonly at: JsonPath; readonly value: unknown };

/** How guarded-sh is started from a configuration: a text for a shell, already quoted. */
export interface Starting {
  readonly program: string;
  /** URL of the built module of the package with this name. */
  readonly module: (name: string) => string;
  /** The user's home, for values that are paths. */
  readonly home: string;
  /** Tools that run no command line are judged as well. */
  readonly allTools: boolean;
}

/** What guarded-sh knows of one agent: how it is configured, how it behaves, how it is tried. */
export interface Agent {
  readonly name: string;
  readonly title: string;
  /** One paragraph for the head of its page. */
  readonly about: string;
  readonly changes: (scope: InitScope, starting: Starting) => readonly Change[];
  /** The agent's own event for a command; undefined: it has no hook. */
  readonly event: ((command: string, cwd: string) => AgentEvent) | undefined;
  readonly behaviour: Behaviour;
  /** Another way in: guarded-sh as the agent's shell. */
  readonly shell?: string;
  /** What a user has to know or do besides. */
  readonly notes: readonly string[];
}

export interface AgentEvent {
  readonly payload: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** How the agent takes an answer. */
export interface Behaviour {
  readonly event: string;
  readonly tool: string;
  readonly asks: string;
  readonly rewrites: boolean;
  readonly limit: string;
  readonly failure: string;
}

/** Any exit status but 0 is a no: a hook that cannot start must not let the command through. */
export function hookCommand({ program, allTools }: Starting, host: string): string {
  return `${program} hook ${host}${allTools ? "" : " --shell-only"} || exit 2`;
}
