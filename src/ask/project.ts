import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * What grants are kept for: the root of the repository, the same for all its worktrees; without one the folder of the
 * project's policy file, or the directory. An absolute path.
 */
export function projectIdOf(cwd: string, policyFile: string | undefined): string {
  const root = repositoryRoot(cwd);
  if (root !== undefined) return realPath(root);
  return realPath(policyFile === undefined ? cwd : policyFolder(policyFile));
}

function policyFolder(file: string): string {
  const folder = dirname(file);
  return folder.endsWith("/.guarded-sh") ? dirname(folder) : folder;
}

function repositoryRoot(cwd: string): string | undefined {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const mark = join(at, ".git");
    const kind = kindOf(mark);
    if (kind === "directory") return at;
    if (kind === "file") return mainWorktree(mark) ?? at;
    if (dirname(at) === at) return undefined;
  }
}

function kindOf(path: string): "directory" | "file" | undefined {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return "directory";
    return stat.isFile() ? "file" : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The root of the repository that a worktree belongs to. Both ends must name each other: a `.git` file alone could be
 * written by anybody to borrow another project's grants.
 */
function mainWorktree(mark: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(textOf(mark))?.[1];
  if (named === undefined) return undefined;
  const own = resolve(dirname(mark), named);
  const back = textOf(join(own, "gitdir")).trim();
  if (back === "" || realPath(resolve(own, back)) !== realPath(mark)) return undefined;
  const common = textOf(join(own, "commondir")).trim();
  if (common === "") return undefined;
  const folder = resolve(own, common);
  // The other end must lie in that repository, or it would be of the same author.
  if (dirname(realPath(own)) !== join(realPath(folder), "worktrees")) return undefined;
  return folder.endsWith("/.git") ? dirname(folder) : folder;
}

function textOf(path: string): string {
  try {
    const stat = statSync(path);
    // Reading a FIFO would wait for somebody who writes to it.
    return stat.isFile() && stat.size <= 64 * 1024 ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
