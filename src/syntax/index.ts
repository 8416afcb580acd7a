export { parse } from "./parse.ts";
export { quoteWords } from "./quote.ts";
export type * from "./tree.ts";
