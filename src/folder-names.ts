import { readdirSync, statfsSync } from "node:fs";

/** Whether something lies at a path; undefined when a folder on the way keeps that from being known. */
type Exists = (path: string) => boolean | undefined;

/** What was found so far in one folder. */
interface Folder {
  /** How many names were asked for and are not there. */
  misses: number;
  /** The names in it, in lower case, when it was worth reading them; undefined when that says too little. */
  names: ReadonlySet<string> | undefined;
}

// So many files that are not there are looked for one by one: a folder may hold a million others.
const FEW = 16;

/**
 * The same answers as `exists` gives for the time of one judgement, with fewer looks at the disk: below what is not there is
 * nothing, and a folder that was asked for many names that it does not have is listed once.
 */
export function existsByFolder(exists: Exists): Exists {
  const folders = new Map<string, Folder>();
  const missing = new Set<string>();
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (path.length > LONGEST || !path.startsWith("/") || !PLAIN.test(name)) return exists(path);
    const parent = path.slice(0, -name.length - 1) || "/";
    if (missing.has(parent) || isUnlisted(name, folders.get(parent))) {
      missing.add(path);
      return false;
    }
    const found = exists(path);
    if (found === false) noteMiss(path, parent, folders, missing);
    return found;
  };
}

// What the system itself refuses as too long, or reads otherwise than it is written, is not answered from a list.
const LONGEST = 1024;
const PLAIN = /^(?!\.{1,2}$)[\w.+@%,:=~-]{1,128}$/;

function isUnlisted(name: string, folder: Folder | undefined): boolean {
  return folder?.names !== undefined && !folder.names.has(name.toLowerCase());
}

function noteMiss(path: string, parent: string, folders: Map<string, Folder>, missing: Set<string>): void {
  missing.add(path);
  const folder = folders.get(parent) ?? { misses: 0, names: undefined };
  folders.set(parent, folder);
  folder.misses++;
  if (folder.misses === FEW) folder.names = namesIn(parent);
}

/** File systems whose listing holds every name there is: not those that make a name when it is asked for (`autofs`, `/proc`). */
const LISTED: ReadonlySet<number> = new Set([
  0xef53, // ext2 to ext4
  0x5846_5342, // xfs
  0x9123_683e, // btrfs
  0x2fc1_2fc1, // zfs
  0x0102_1994, // tmpfs
  0x794c_7630, // overlayfs
]);

function namesIn(folder: string): ReadonlySet<string> | undefined {
  try {
    if (process.platform !== "linux" || !LISTED.has(statfsSync(folder).type)) return undefined;
    return new Set(readdirSync(folder).map((name) => name.normalize("NFKC").toLowerCase()));
  } catch {
    return undefined;
  }
}
