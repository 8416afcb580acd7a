import { posix } from "node:path";
import { isInside } from "../text/index.ts";
import { MANAGED_PATH, userPath } from "./load.ts";
import type { OwnPlaces } from "./protection.ts";
import type { Document, Policy } from "./rule.ts";
import { trustFile } from "./trust.ts";

/** What is known of the world when guarded-sh's own places are looked up. */
export interface OwnSetting {
  readonly home: string;
  readonly env: ReadonlyMap<string, string>;
  readonly projectRoot: string;
  readonly policy: Policy;
  readonly managedPath?: string | undefined;
  /** The folder of the installed package. */
  readonly packageFolder: string;
  readonly findProgram?: ((name: string) => string | undefined) | undefined;
  readonly realPath?: ((path: string) => string) | undefined;
}

/** Where the policy, the state and the program lie, as named and as resolved. */
export function ownPlaces(setting: OwnSetting): OwnPlaces {
  const { home, env, managedPath = MANAGED_PATH, findProgram, realPath } = setting;
  const program = findProgram?.("guarded-sh");
  const folders = [
    posix.dirname(MANAGED_PATH),
    posix.dirname(userPath({ env, home })),
    posix.dirname(trustFile(env, home)),
    ...packageFolders(setting),
  ];
  const files = [managedPath, ...policyFiles(setting.policy), ...(program === undefined ? [] : [program])];
  return { folders: withReal(folders, realPath), files: withReal(files, realPath) };
}

/** Of a checkout that is itself the project nothing: it is rebuilt all the time, and working on guarded-sh is no attack on it. */
function packageFolders({ packageFolder, projectRoot }: OwnSetting): readonly string[] {
  const isProject = isInside(packageFolder, projectRoot) && !packageFolder.includes("/node_modules/");
  return isProject ? [] : [packageFolder];
}

/** Every file that a rule in force stands in. */
function policyFiles({ documents }: Policy): string[] {
  return documents.flatMap(function filesOf(document: Document): string[] {
    const { name } = document.origin.source;
    return [...(name.startsWith("/") ? [name] : []), ...document.bases.flatMap(filesOf)];
  });
}

function withReal(paths: readonly string[], realPath: OwnSetting["realPath"]): string[] {
  return [...new Set(paths.flatMap((path) => [path, realPath?.(path) ?? path]))];
}
