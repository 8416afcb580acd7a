import { describe, expect, test } from "vitest";
import { codes } from "./split.ts";

describe("variables that decide what programs run, load or write", () => {
  test.each([
    "GIT_TRACE=$PWD/f git status",
    "GIT_TRACE2_EVENT=/tmp/f git status",
    "GIT_TRACE_SETUP=f git status",
    "GIT_TEST_FSMONITOR_CLIENT=x git status",
    "PYTHONPYCACHEPREFIX=f python3 a.py",
    "KUBECONFIG=f kubectl get pods",
    "KUBECTL_EXTERNAL_DIFF=victim kubectl diff",
    "GOFLAGS=-toolexec=victim go vet",
    "GOFLAGS='-mod=mod -toolexec=victim' go vet",
    "RUSTFLAGS=-Clinker=victim cargo build",
    "CC=victim make",
    "CC=./gcc make",
    "CXX=victim make",
    "LD=victim make",
    "PS1=x ls",
    "PS2=x ls",
    "NODE_OPTIONS='--max-old-space-size=1 --require ./x' node a.js",
    "NODE_OPTIONS=$x node a.js",
    "JAVA_HOME=/usr/lib/jvm/../../../tmp/x ./gradlew test",
    "PYTHONPATH=/tmp/x pytest",
    "PYTHONPATH=. aws s3 ls",
    "export PYTHONPATH=.",
    "POSIXLY_CORRECT=1 bash a.sh",
    "EDITOR=victim git commit",
    "set -o posix",
  ])("%s", (line) => expect(codes(line).length).toBeGreaterThan(0));
});

describe("values of them that are of no matter", () => {
  test.each([
    "NODE_OPTIONS=--max-old-space-size=4096 npm run build",
    "NODE_OPTIONS='--no-warnings --experimental-vm-modules' jest",
    "export NODE_OPTIONS=--max-old-space-size=4096",
    "env NODE_OPTIONS=--max-old-space-size=4096 node a.js",
    "PYTHONPATH=. pytest",
    "PYTHONPATH=.:src python3 -m pytest",
    "GOFLAGS=-mod=vendor go build",
    "RUSTFLAGS='-D warnings' cargo clippy",
    "CC=clang make",
    "GIT_TRACE=1 git fetch",
    "GIT_PAGER=cat git log",
    "GIT_EDITOR=true git rebase --continue",
    "JAVA_HOME=/usr/lib/jvm/java-17 mvn test",
    "CARGO_BUILD_JOBS=4 cargo build",
  ])("%s", (line) => expect(codes(line).filter((code) => code === "sensitive-assignment")).toEqual([]));
});

test("set -x prints what runs and changes nothing of it", () => {
  expect(codes("set -eux -o pipefail; set -o xtrace")).toEqual([]);
});
