// The names of clients' files, as they are stored, shown and put into URLs.
import { fileNameCharactersMax } from '../../../contract/files.ts'

/** The last part of a path, without control characters and what file systems dislike; null when nothing is left. */
export function cleanName(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1)!
  const clean = last
    .replace(/[\p{Cc}<>:"|?*]/gu, '')
    .trim()
    .slice(0, fileNameCharactersMax)
    // Last: the cut may have split a character in two.
    .toWellFormed()
  return clean === '' || /^\.+$/.test(clean) ? null : clean
}
