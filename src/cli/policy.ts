import type { VerbGroup } from "./command.ts";

/** `guarded-sh policy …`: a verb is one line here and a file of its own. */
export const policyGroup: VerbGroup = {
  name: "policy",
  summary: "the rules in force and others: show, explain, lint, audit, import, suggest",
  verbs: [
    {
      name: "show",
      summary: "all rules in force, with their layer, origin and trust",
      load: async () => (await import("./policy-show.ts")).policyShowVerb,
    },
    {
      name: "explain",
      summary: "why a command line is judged as it is, stage by stage",
      load: async () => (await import("./policy-explain.ts")).policyExplainVerb,
    },
    {
      name: "lint",
      summary: "rules that never decide, take more than they read, or match nothing",
      load: async () => (await import("./policy-lint.ts")).policyLintVerb,
    },
    {
      name: "audit",
      summary: "other texts that do what a rule denies, and get past it",
      load: async () => (await import("./policy-audit.ts")).policyAuditVerb,
    },
    {
      name: "import",
      summary: "turn another agent's rules into a policy file",
      load: async () => (await import("./policy-import.ts")).policyImportVerb,
    },
    {
      name: "suggest",
      summary: "the narrowest rules for what people have answered again and again",
      load: async () => (await import("./policy-suggest.ts")).policySuggestVerb,
    },
  ],
};
