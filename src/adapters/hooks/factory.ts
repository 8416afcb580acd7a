import { permissionAnswer } from "./answer.ts";
import { decodeSnakeCase, refusePermission } from "./claude-code.ts";
import { changed } from "./event.ts";
import type { Hook } from "./hook.ts";

/** Factory's droid: Claude Code's format; `updatedInput` holds only the fields that change. */
export const factory: Hook = {
  host: "factory",
  decode: (input) => decodeSnakeCase(input, { root: "FACTORY_PROJECT_DIR", asks: true }),
  encode: (event, verdict) =>
    permissionAnswer(verdict, changed(event, verdict.kind === "allow" ? verdict.command : undefined), "hookEventName"),
  refuse: refusePermission,
};
