/** The loader of the compiled part, for which the package has no typings. */
declare module "@lydell/node-pty/requireBinary.js" {
  export function requireBinary(file: "pty.node"): {
    open(columns: number, rows: number): { master: number; slave: number; pty: string };
    resize(descriptor: number, columns: number, rows: number): void;
  };
}
