// The parts of `dailies.config.json` that are settings: what few installations change, and what is no single value. The
// engines and models in it are read by engines/setup.
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { defaultThresholds } from '../moderation/thresholds.ts'
import { OperatorError } from '../platform/errors.ts'
import { problemsText } from '../schema/problem.ts'
import { parseWith } from '../schema/validation.ts'
import { duration, readableFile } from './values.ts'

const share = z.number().min(0).max(1)

/** A text that a parser of settings reads. */
const read = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
      return z.NEVER
    }
  })

const sections = (folder: string) =>
  z.object({
    /** Above which similarity to a forbidden sentence, and above which probability, something is refused. */
    moderation: z
      .strictObject({
        prompts: share.default(defaultThresholds.promptSimilarity),
        images: share.default(defaultThresholds.imageExplicit),
      })
      .prefault({}),
    /** The path of an ONNX depth network that the studio uses instead of the bundled one. */
    studio: z.strictObject({ depthModel: read((path) => readableFile(resolve(folder, path))).optional() }).prefault({}),
    /** US dollars per million tokens of an embeddings request. */
    embeddings: z.strictObject({ usdPerMillionTokens: z.number().positive().max(1e6).default(0.02) }).prefault({}),
    /** Entries of the audit log are deleted after this long. */
    audit: z.strictObject({ retention: read(duration).prefault('365d') }).prefault({}),
  })

interface ConfigFile {
  path: string
  content: unknown
}

/** `engineFile` is what is left of the file, not validated; null without a file. */
export function readFileSettings(file: ConfigFile | null) {
  const content = typeof file?.content === 'object' ? file.content : null
  const schema = sections(dirname(file?.path ?? ''))
  const parsed = parseWith(schema, Array.isArray(content) ? {} : (content ?? {}), '')
  if (!parsed.ok) throw new OperatorError(`${file!.path}: ${problemsText(parsed.problems)}`)
  const { moderation, studio, embeddings, audit } = parsed.value
  return {
    moderationThresholds: { promptSimilarity: moderation.prompts, imageExplicit: moderation.images },
    depthModel: studio.depthModel ?? null,
    embeddingPriceUsd: embeddings.usdPerMillionTokens,
    auditRetentionMs: audit.retention,
    engineFile: file && { path: file.path, content: withoutSections(file.content, Object.keys(schema.shape)) },
  }
}

function withoutSections(content: unknown, names: readonly string[]): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  return Object.fromEntries(Object.entries(content).filter(([name]) => !names.includes(name)))
}
