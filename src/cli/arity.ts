import type { VerbGroup } from "./command.ts";

/** `guarded-sh arity …`: what the dictionary knows of programs. */
export const arityGroup: VerbGroup = {
  name: "arity",
  summary: "the dictionary of programs: show, explain, lint, add",
  verbs: [
    {
      name: "show",
      summary: "what is known of a program, and from which file",
      load: async () => (await import("./arity-show.ts")).arityShowVerb,
    },
    {
      name: "explain",
      summary: "how a command line is split by what is known of its programs",
      load: async () => (await import("./arity-explain.ts")).arityExplainVerb,
    },
    {
      name: "lint",
      summary: "check an entry, or the entries of a policy file, and run their examples",
      load: async () => (await import("./arity-lint.ts")).arityLintVerb,
    },
    {
      name: "add",
      summary: "describe a program of your own in your policy file",
      load: async () => (await import("./arity-add.ts")).arityAddVerb,
    },
  ],
};
