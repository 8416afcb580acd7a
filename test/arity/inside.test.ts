import { expect, test } from "vitest";
import { codes, lines } from "../segment/split.ts";

// What else a line runs, found behind its first segment.
test.each([
  ["bash -oc errexit 'rm x'", ["script: rm x"]],
  ["bash -eoc pipefail 'rm x'", ["script: rm x"]],
  ["sh -co errexit 'rm x'", ["script: rm x"]],
  ["dash -oc errexit 'rm x'", ["script: rm x"]],
  ["bash -c -o pipefail 'rm x'", ["script: rm x"]],
  ["zsh -opipefail -c 'rm x'", ["script: rm x"]],
  ["sudo -s <<< 'rm x'", ["script: rm x"]],
  ["doas -s <<< 'rm x'", ["script: rm x"]],
  ["sudo -s rm x", ["wrapper: rm x"]],
  ["sudo -l <<< 'rm x'", []],
  ["sudo ls <<< 'rm x'", ["wrapper: ls"]],
  ["git -c alias.x='!rm -rf y' x", ["script: rm -rf y"]],
  ["git -c Alias.x='!rm -rf y' x", ["script: rm -rf y"]],
  ["git -c core.pager='less; rm x' log", ["script: less", "script: rm x"]],
  ["git -c diff.external='rm x' diff", ["script: rm x"]],
  ["git -c filter.lfs.clean='rm x' add y", ["script: rm x"]],
  ["git clone -c core.sshCommand='rm x' u", ["script: rm x"]],
  ["git -c core.pager=cat log", []],
  ["git -c user.name='!rm x' commit", []],
  ["tar -cf a.tar --checkpoint=1 --checkpoint-action=exec='rm x' y", ["script: rm x"]],
  ["tar -cf a.tar --checkpoint-action=dot y", []],
  ["ssh -o ProxyCommand='rm x' h", ["script: rm x"]],
  ["ssh -o'proxycommand rm x' h", ["script: rm x"]],
  ["ssh -o 'ProxyCommand = rm x' h", ["script: rm x"]],
  ["hg --config alias.x='!rm y' x", ["script: rm y"]],
  ["apt-get -o APT::Update::Pre-Invoke::='rm x' update", ["script: rm x"]],
  ["parallel ::: 'rm x' 'ls y'", ["script: rm x", "script: ls y"]],
  ["parallel -j 4 rm ::: a b", ["script: rm a", "script: rm b"]],
  ["parallel '{} x' ::: rm ls", ["script: rm x", "script: ls x"]],
  ["parallel '{2} {1}' ::: x ::: rm", ["script: rm x"]],
  ["parallel -I, ', x' ::: rm", ["script: rm x"]],
  ["parallel echo {.} ::: a.c", ["script: echo ${_}"]],
  ["ls | parallel gzip -9", ["script: gzip -9 ${_}"]],
  ["tmux ls \\; kill-server", ["wrapper: tmux kill-server"]],
  ["tmux ls ';' run-shell 'rm x'", ["wrapper: tmux run-shell rm x", "script: rm x"]],
  ["tmux 'ls;' kill-server", ["wrapper: tmux kill-server"]],
  ["tmux ls \\; lsk \\; kill-server", ["wrapper: tmux lsk", "wrapper: tmux kill-server"]],
  ["tmux display-message 'a\\;' b", []],
])("%s", (line, inside) => {
  const [first = "", ...others] = line.startsWith("ls | ") ? lines(line).slice(1) : lines(line);
  expect([first.split(" ")[0], ...others]).toEqual([line.replace("ls | ", "").split(" ")[0], ...inside]);
});

test("what an argument decides is dynamic", () => {
  expect(codes("ls | parallel '{} x'")).toEqual(["dynamic-program"]);
  expect(codes("parallel '{} x' ::: *.sh")).toEqual(["dynamic-program"]);
  expect(codes("parallel ::: $X")).toEqual(["dynamic-program", "opaque-script"]);
  expect(codes("parallel gzip ::: $X")).toEqual([]);
  expect(codes("parallel :::: jobs.txt")).toEqual(["opaque-script"]);
  expect(codes('git -c alias.x="!rm $Y" x')).toEqual(["opaque-script"]);
});
