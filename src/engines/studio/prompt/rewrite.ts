// Rewrites what people write as what is read. A phrase that is misread gets a line in a table of these.

export type Rewrite = [written: RegExp, read: string | ((whole: string, ...groups: string[]) => string)]

/** Each line of the table sees what the lines above it wrote. */
export function rewrite(text: string, table: Rewrite[]): string {
  return table.reduce((text, [written, read]) => text.replace(written, read as string), text)
}
