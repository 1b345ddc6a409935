// Multipart forms that end too early: in every part that a parser distinguishes. Some of them once ended the process.
import { multipartBoundary as boundary } from './large-bodies.ts'

const content = 'x'.repeat(40)
const begin = `--${boundary}\r\ncontent-disposition: form-data; name=`
const fieldPart = (name: string) => `${begin}"${name}"\r\n\r\n${content}`
const filePart = (name: string) => `${begin}"${name}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n${content}`
const fields = (count: number) => Array.from({ length: count }, (_, i) => `${fieldPart(`f${i}`)}\r\n`).join('')
/** Parts count even if they are not named. */
const ignoredParts = (count: number) => `--${boundary}\r\nx-a: b\r\n\r\n${content}\r\n`.repeat(count)

/** A whole form: a field, and a file under the name `part`. */
export const wholeForm = (part: string) => `${fieldPart('prompt')}\r\n${filePart(part)}\r\n--${boundary}--`

/** What the form ends in → the form, for a route that takes its file under the name `part`. */
export function brokenForms(part: string): Record<string, string> {
  return {
    nothing: '',
    'a boundary': `--${boundary.slice(0, 3)}`,
    headers: filePart(part).slice(0, begin.length + 3),
    'the empty line after headers': filePart(part).slice(0, -content.length - 2),
    'headers, and is closed': `${begin}"${part}"\r\n--${boundary}--`,
    'a field': fieldPart('prompt'),
    'its file': filePart(part),
    'its file after a field': `${fieldPart('prompt')}\r\n${filePart(part)}`,
    'a file under another name': filePart('other'),
    'a file under another name after its file': `${filePart(part)}\r\n${filePart('other')}`,
    'a file without a name': filePart('').replace(' name=""; ', ' '),
    'a field beyond the limit': `${fields(30)}${fieldPart('last')}`,
    'a part beyond the limit': `${ignoredParts(32)}${filePart(part)}`,
    'the last part of those that are taken': `${ignoredParts(31)}${filePart(part)}`,
    'the line before the closing boundary': `${filePart(part)}\r\n`,
    'the closing boundary': `${filePart(part)}\r\n--${boundary}-`,
  }
}
