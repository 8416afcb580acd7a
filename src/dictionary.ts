/** What a person may ask of the dictionary; nothing here runs or judges anything. */
export { checkEntry, type EntryProblem } from "./segment/check-entry.ts";
export { entriesFromUser } from "./segment/extension.ts";
export { spellingsOf, verbOf } from "./segment/facts.ts";
export {
  type CommandSpec,
  describedNames,
  type Entry,
  type EntryLayer,
  entryLayers,
  findEntry,
  type Reading,
  readInvocation,
  type Segment,
  type Segmentation,
  segmentsOf,
  shownValue,
  type Value,
} from "./segment/index.ts";
