/**
 * Bash text that closes every descriptor beyond 2. The pty package opens its ends without close-on-exec, so every
 * process we start inherits them: the command could then read its own terminal's near end, and a terminal would count
 * as open for as long as any neighbour runs.
 */
export const CLOSE_DESCRIPTORS = `__guarded_sh() {
  local fd
  for fd in /dev/fd/*; do
    fd=\${fd##*/}
    case $fd in [3-9] | [1-9][0-9]*) eval "exec $fd>&-" ;; esac
  done
}
__guarded_sh
unset -f __guarded_sh
`;
