export { denialText, type Refusal, refusalsOf } from "./denial.ts";
export { reasonOf, resultOf } from "./judged.ts";
export { denialKindOf, deniedResult, failedResult, ranResult } from "./outcome.ts";
export * from "./result.ts";
export { effectText, type Paint, pathFrom, plain, renderTree } from "./tree.ts";
