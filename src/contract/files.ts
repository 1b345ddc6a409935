// Uploaded files.
import { z } from 'zod'
import { withRules } from '../schema/validation.ts'
import { epochMs, httpUrl, optionalHttpUrl } from '../schema/wire-types.ts'
import { example } from './example-values.ts'
import { pageOf, pageQuery } from './page.ts'

export const fileNameCharactersMax = 200

const exampleUpload = { fileUrl: example.imageUrl, fileName: 'boat.jpg' }
const exampleBase64 = { base64Data: 'data:image/png;base64,iVBORw0KGgo=', fileName: 'boat.png' }

export const uploadBody = withRules(
  z.object({
    base64Data: z
      .string()
      .nullish()
      .meta({ description: 'The bytes in base64, with or without a `data:` prefix; at most 10 MB.' }),
    fileUrl: optionalHttpUrl().meta({ description: 'Where to fetch the file; at most 100 MB.' }),
    fileName: z.string().max(fileNameCharactersMax).nullish().meta({ description: 'A name to show.' }),
  }),
  (fields, _sound, report) => {
    if (Boolean(fields.base64Data) === Boolean(fields.fileUrl))
      report(['base64Data'], 'give either base64Data or fileUrl')
  },
).meta({ examples: [exampleUpload, exampleBase64] })

/** For the path that is named after base64. */
export const base64UploadBody = uploadBody.meta({ examples: [exampleBase64] })

export const previewBody = z.object({
  url: httpUrl().meta({
    description: 'The URL of a JPEG or PNG image of at most 50 MB.',
    examples: [example.imageUrl],
  }),
})

const exampleId = '2cVb7nMq4wEr9tYu1iOp6aSd3fG'

export const uploadedFile = z
  .object({
    fileName: z.string().meta({ examples: ['boat.jpg'] }),
    mimeType: z.string().meta({ examples: ['image/jpeg'] }),
    fileSize: z.int().meta({ description: 'Bytes.', examples: [482_113] }),
    downloadUrl: z.string().meta({
      description: 'Use this URL in a task.',
      examples: [`${example.files}/${exampleId}/boat.jpg`],
    }),
    expiresAt: epochMs().meta({ examples: [example.createdMs + 3 * 86_400_000] }),
  })
  .meta({ id: 'UploadedFile' })

export const listedFile = uploadedFile
  .extend({
    id: z.string().meta({ description: 'For `DELETE /api/v1/files/<id>`.', examples: [exampleId] }),
    createdAt: epochMs(),
  })
  .meta({ id: 'ListedFile' })

/** `cursor` is `nextCursor` of the previous page: when its last file was created, and that file's id. */
export const listFilesQuery = z.object({
  limit: pageQuery.limit,
  cursor: z
    .string()
    .regex(/^\d{1,16}\.[\w-]{1,64}$/, 'must be the nextCursor of the page before')
    .optional()
    .meta({ description: '`nextCursor` of the previous page.' }),
})
export const filePage = pageOf(listedFile)
export const deletedFile = z.object({ id: z.string().meta({ examples: [exampleId] }) })

export type UploadBody = z.output<typeof uploadBody>
export type UploadedFile = z.output<typeof uploadedFile>
