// Uploaded files.
import { z } from 'zod'
import { withRules } from '../schema/validation.ts'
import { epochMs, httpUrl, optionalHttpUrl } from '../schema/wire-types.ts'
import { pageOf, pageQuery } from './page.ts'

export const fileNameCharactersMax = 200

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
)

export const previewBody = z.object({
  url: httpUrl().meta({ description: 'The URL of a JPEG or PNG image of at most 50 MB.' }),
})

export const uploadedFile = z
  .object({
    fileName: z.string(),
    mimeType: z.string(),
    fileSize: z.int().meta({ description: 'Bytes.' }),
    downloadUrl: z.string().meta({ description: 'Use this URL in a task.' }),
    expiresAt: epochMs(),
  })
  .meta({ id: 'UploadedFile' })

export const listedFile = uploadedFile
  .extend({ id: z.string().meta({ description: 'For `DELETE /api/v1/files/<id>`.' }), createdAt: epochMs() })
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
export const deletedFile = z.object({ id: z.string() })

export type UploadBody = z.output<typeof uploadBody>
export type UploadedFile = z.output<typeof uploadedFile>
