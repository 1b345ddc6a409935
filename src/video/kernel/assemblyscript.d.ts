// The part of the compiler that build.ts calls (see `paths` in tsconfig.json). Its own types bring the globals of another
// language with them, which would hide Node's in the whole project.

declare const asc: {
  main(
    args: string[],
    io: {
      readFile(name: string): string | null
      writeFile(name: string, contents: string | Uint8Array): void
      listFiles(): string[]
    },
  ): Promise<{ error: Error | null; stderr: { toString(): string } }>
}
export default asc
