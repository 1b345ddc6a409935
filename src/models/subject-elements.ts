// Subjects of a request, which its prompt names as `@name`: their wire shape, rules and meaning.
// The files behind the URLs (format, size, length) are checked later, when they are fetched.

import { z } from 'zod'
import { elementLimits } from '../contract/limits.ts'
import { withoutUndefined } from '../platform/without-undefined.ts'
import { withRules } from '../schema/validation.ts'
import { httpUrl, list, numberBetween, requiredText } from '../schema/wire-types.ts'
import type { ElementRequest, WireElement } from './model.ts'

const { captureMsMin, captureMsMax } = elementLimits

// The contract does not set these limits. They are far above real use and keep stored requests small.
const nameCharactersMax = 256
const descriptionCharactersMax = 3072
const audioUrlsMax = 10
const captureStartMsMax = 24 * 60 * 60 * 1000

const element = withRules(
  z.object({
    name: requiredText(nameCharactersMax).meta({
      description: 'The name by which the prompt refers to the subject, there with an @ before it.',
    }),
    description: requiredText(descriptionCharactersMax).meta({ description: 'What the subject is.' }),
    element_input_urls: list(httpUrl(), 2, 4, 'URLs').meta({
      description: '2 to 4 URLs of images (JPEG or PNG, at most 10 MB each) or videos of the subject.',
    }),
    element_input_audio_urls: list(httpUrl(), 0, audioUrlsMax, 'URLs')
      .nullish()
      .meta({
        description: `Up to ${audioUrlsMax} URLs of recordings of the character, 5 to 30 seconds each.`,
      }),
    start_time: numberBetween(0, captureStartMsMax).nullish().meta({
      description: 'Where the capture begins, in milliseconds. Only for videos.',
      default: 0,
    }),
    end_time: z.number().nullish().meta({
      description: 'Where the capture ends, in milliseconds: 3000 to 8000 after start_time. Only for videos.',
    }),
  }),
  (fields, sound, report) => {
    const { start_time: startMs, end_time: endMs } = fields
    if (!sound('start_time', 'end_time') || endMs === undefined || endMs === null) return
    const windowMs = endMs - (startMs ?? 0)
    if (windowMs >= captureMsMin && windowMs <= captureMsMax) return
    const found = windowMs > 0 ? `the window is ${windowMs} ms` : 'it is not after it'
    report(['end_time'], `must be ${captureMsMin} to ${captureMsMax} ms after start_time (${found})`)
  },
)

const elementsMax = 3

export const elementList = list(element, 0, elementsMax, 'subjects')

/** Entries with one name become one subject with the input files of all; limits have been checked per entry. */
export function elementRequests(elements: z.output<typeof elementList>): ElementRequest[] {
  const byName = new Map<string, ElementRequest>()
  for (const entry of elements) {
    const startMs = entry.start_time ?? 0
    const endMs = entry.end_time ?? null
    const urls = entry.element_input_urls.map((url) => ({ url, startMs, endMs }))
    const audioUrls = entry.element_input_audio_urls ?? []
    const known = byName.get(entry.name)
    if (known === undefined) {
      byName.set(entry.name, { name: entry.name, description: entry.description, urls, audioUrls: [...audioUrls] })
      continue
    }
    if (known.description !== entry.description) known.description += `\n${entry.description}`
    known.urls.push(...urls)
    known.audioUrls.push(...audioUrls)
  }
  return [...byName.values()]
}

/** The fields of an entry that hold URLs. */
export const elementFields = ['element_input_urls', 'element_input_audio_urls'] as const

export const wireElement = ({ name, description, urls, audioUrls, startMs, endMs }: WireElement) =>
  withoutUndefined({
    name,
    description,
    element_input_urls: urls,
    element_input_audio_urls: audioUrls,
    start_time: startMs,
    end_time: endMs,
  })
