/**
 * Every bound that guarded-sh puts on outside text, in one place. A bound that is passed ends in *no*, never in *yes*.
 */
export const LIMITS = {
  /** Bytes (UTF-8) of one command line or followed script file. */
  textBytes: 1024 * 1024,
  /** Substitutions, compounds and scripts inside each other. */
  nesting: 64,
  /** Simple commands of one command line, nested and peeled ones included. */
  segments: 20_000,
  /** Unclosed-looking openers of one kind in a row before the parser is not asked at all. */
  openersOfRefused: 400,
  /** Simple commands, assignments and redirects that are read of one text. */
  parts: 40_000,
  /** Words of the simple commands of one text: no program can be given as many. */
  words: 100_000,
  /** Here-documents in one text. */
  hereDocuments: 2_000,
  /** Characters of a variable's value; a longer one is not known. */
  valueCharacters: 8 * 1024,
  /** Words that one brace expansion may make. */
  braceWords: 1024,
  /** Characters of scripts inside a text, besides three times its own length: `eval eval eval …` reads it over and over. */
  scriptCharacters: 64 * 1024,
  /** Words of inner commands, besides one for every character of the text. */
  innerWords: 20_000,
  /** Calls of functions that are judged with their own parameters. */
  calls: 64,
  /** Script files followed inside each other. */
  followedFiles: 4,
  /** Characters of a directory that a text moves to by `cd`; a longer path is not known. */
  pathCharacters: 1024,
  /** Words of the positional parameters or of an array; more are not known. */
  listWords: 1024,
  /** Values of one variable that are kept apart before it becomes a hole. */
  choices: 16,
  /** Bytes of a policy file. */
  policyBytes: 4 * 1024 * 1024,
} as const;
