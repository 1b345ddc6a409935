// The audit log: which acts are recorded, and how they are read.
import { z } from 'zod'
import { epochMs } from '../schema/wire-types.ts'
import { example } from './example-values.ts'
import { idParam, lookupText, pageQuery, timeParam } from './page.ts'

/** Every act that is recorded, as `subject.verb`. */
export const auditActions = [
  'account.create',
  'account.credit',
  'account.export',
  'account.delete',
  'key.create',
  'key.update',
  'key.rotate',
  'key.revoke',
  'secret.rotate',
  'secret.encrypt',
  'feature.enable',
  'feature.disable',
  'maintenance.on',
  'maintenance.off',
  'queue.pause',
  'queue.resume',
  'queue.retry',
  'task.delete',
  'share.create',
  'share.revoke',
  'file.delete',
  'session.failed',
  'session.end',
] as const

export const auditSubjects = [...new Set(auditActions.map((action) => action.split('.')[0]!))]

const facts = z.record(z.string(), z.unknown()).nullable()

export const auditEntry = z
  .object({
    id: z.string().meta({ examples: [example.deliveryId] }),
    time: epochMs(),
    actor: z.string().meta({
      description:
        'The id of a key, `command line:` with the name of a user, `service` for the service itself, or `unknown`.',
      examples: [example.keyId],
    }),
    address: z
      .string()
      .nullable()
      .meta({ description: "The client's address; null where there was no connection.", examples: [example.address] }),
    action: z.enum(auditActions).meta({ examples: ['account.credit'] }),
    target: z
      .string()
      .nullable()
      .meta({
        description: 'What was acted on: the name of an account, feature or queue, or an id.',
        examples: ['default'],
      }),
    before: facts.meta({
      description: 'What the act changed, as it was. Never a key or a secret.',
      examples: [{ balance: 999_958 }],
    }),
    after: facts.meta({ description: 'What the act changed, as it is since.', examples: [{ balance: 1_000_958 }] }),
  })
  .meta({ id: 'AuditEntry' })

const auditFormats = ['json', 'ndjson'] as const

export const listAuditQuery = z.object({
  actor: lookupText.optional().meta({ description: 'Only acts of this actor.' }),
  action: z
    .enum([...auditActions, ...auditSubjects] as [string, ...string[]])
    .optional()
    .meta({ description: 'Only this action, such as `key.create`, or every action on a subject, such as `key`.' }),
  since: timeParam.optional().meta({ description: 'At this time or later, in epoch milliseconds.' }),
  until: timeParam.optional().meta({ description: 'Before this time, in epoch milliseconds.' }),
  limit: pageQuery.limit,
  cursor: idParam('must be the cursor of the page before')
    .optional()
    .meta({ description: '`cursor` of the previous page.' }),
  format: z.enum(auditFormats).optional().meta({
    description:
      '`ndjson`: every matching entry, one JSON object per line. `Accept: application/x-ndjson` does the same.',
  }),
})

export const auditPage = z.object({
  items: z.array(auditEntry),
  cursor: z.string().nullable().meta({ description: 'For the next page; null on the last one.' }),
})

export type AuditAction = (typeof auditActions)[number]
export type AuditEntry = z.output<typeof auditEntry>
