// The text of client/src/contract.ts: the shapes and lists of the service's contract, as types and constants that need
// no library. Every contract schema that has an id is in it; those of the models are named here.
import { z } from 'zod'
import * as accounts from '../../src/contract/accounts.ts'
import * as audit from '../../src/contract/audit.ts'
import * as deliveries from '../../src/contract/deliveries.ts'
import { errorCodes, fieldError } from '../../src/contract/errors.ts'
import * as files from '../../src/contract/files.ts'
import * as inference from '../../src/contract/inference.ts'
import * as keys from '../../src/contract/keys.ts'
import * as models from '../../src/contract/models.ts'
import * as operator from '../../src/contract/operator.ts'
import * as operatorQueues from '../../src/contract/operator-queues.ts'
import { failCodes } from '../../src/contract/tasks/fail-reasons.ts'
import * as records from '../../src/contract/tasks/records.ts'
import { listedStates, taskStates } from '../../src/contract/tasks/states.ts'
import * as tasks from '../../src/contract/tasks/tasks.ts'
import { createCatalogue } from '../../src/models/catalogue.ts'
import { extendBody } from '../../src/models/extend-request.ts'
import { universalSentenceEncoder } from '../../src/models/universal-sentence-encoder.ts'
import { v25TurboImageToVideoPro } from '../../src/models/v2-5-turbo-image-to-video-pro.ts'
import { v30OmniImageToVideo } from '../../src/models/v3-0-omni-image-to-video.ts'
import { type JsonSchema, numericType, printType } from './print-types.ts'

const contract = [
  accounts,
  audit,
  deliveries,
  { fieldError },
  files,
  inference,
  keys,
  models,
  operator,
  operatorQueues,
  records,
  tasks,
]

/** Shapes without an id in the contract: what a model takes is published as its own JSON Schema, without names. */
const modelShapes: Record<string, z.ZodType> = {
  TurboInput: v25TurboImageToVideoPro.inputSchema,
  OmniInput: v30OmniImageToVideo.inputSchema,
  CreateTask: createCatalogue().createTaskSchema,
  ExtendTask: extendBody,
  EmbeddingsInput: universalSentenceEncoder.bodySchema,
}

/** Descriptions and ids as declared, and the names above besides. */
class Named extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  readonly #names: Map<z.core.$ZodType, string>
  constructor(names: Record<string, z.ZodType>) {
    super()
    this.#names = new Map(Object.entries(names).map(([name, schema]) => [schema, name]))
  }
  override get<S extends z.core.$ZodType>(schema: S): z.core.$replace<z.core.GlobalMeta, S> | undefined {
    const declared = z.globalRegistry.get(schema)
    const id = this.#names.get(schema)
    return (id === undefined ? declared : { ...declared, id }) as z.core.$replace<z.core.GlobalMeta, S> | undefined
  }
}

/** Further shapes are for a test that adds one. */
export function contractText(more: Record<string, z.ZodType> = {}): string {
  const declared = contract.flatMap((module) => Object.values(module)).filter((value) => value instanceof z.ZodType)
  const named = { ...modelShapes, ...more }
  const shapes = z.toJSONSchema(z.tuple([...declared, ...Object.values(named)] as unknown as [z.ZodType]), {
    io: 'input',
    unrepresentable: 'any',
    metadata: new Named(named),
  }).$defs as Record<string, JsonSchema>
  const types = Object.entries(shapes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => printType(name, schema, shapes))
  return [
    '// Made from the contract of the service by `npm run build:contract`; do not edit.\n',
    list('taskStates', taskStates),
    `/** What lists of tasks can be narrowed to: \`canceled\` are those of \`fail\` that were canceled. */\n${list('listedStates', listedStates)}`,
    `/** Why a task can fail, and the \`failCode\` of each reason. */\n${constant('failCodes', failCodes)}`,
    `/** Every act that the audit log records. */\n${list('auditActions', audit.auditActions)}`,
    list('errorCodes', Object.keys(errorCodes).map(Number)),
    'export type ErrorCode = (typeof errorCodes)[number]\n',
    `/** Waiting jobs of a queue are counted up to this number: it means as many or more. */\n${constant('countedJobsMax', operator.countedJobsMax)}`,
    constant('turboModel', v25TurboImageToVideoPro.id),
    constant('omniModel', v30OmniImageToVideo.id),
    numericType,
    ...types,
  ].join('\n')
}

const constant = (name: string, value: unknown) => `export const ${name} = ${JSON.stringify(value)} as const\n`
const list = (name: string, values: readonly unknown[]) => constant(name, values)
