// A real S3 server on a free port, with an empty bucket of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export interface TestS3 {
  endpoint: string
  /** A DAILIES_STORAGE_URL, through another endpoint if one is given. */
  storageUrl(endpoint?: string): string
  /** Where the server keeps its objects. */
  folder: string
  stop(): Promise<void>
}

/**
 * The server removes a folder with its last object, also while another request is about to write into it. That error of its
 * stream would end the test's process; as it is, the request fails or is sent again.
 */
const fileSystem = createRequire(createRequire(import.meta.url).resolve('s3rver'))('fs-extra')
const { createWriteStream } = fileSystem
fileSystem.createWriteStream = (path: string) => createWriteStream(path).on('error', () => {})

const bucket = 'dailies-test'
const prefix = 'videos'

export async function startS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  const own = `http://127.0.0.1:${port}`
  return {
    endpoint: own,
    folder: join(folder, bucket, prefix),
    storageUrl(endpoint = own) {
      const parameters = new URLSearchParams({ endpoint, accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' })
      return `s3://${bucket}/${prefix}?${parameters}`
    },
    async stop() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
