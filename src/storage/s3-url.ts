// Parses DAILIES_STORAGE_URL, the address and credentials of an S3-compatible storage.
//
//   s3://bucket/prefix?endpoint=https://storage.example.com&region=eu-central-1
//
// Without `endpoint`, the storage is AWS. Credentials come from the AWS environment (AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY, a profile, the machine's role), unless `accessKeyId` and `secretAccessKey` are given.
// `pathStyle=false` puts the bucket into the host name even with an endpoint.
import { OperatorError } from '../platform/errors.ts'

export interface S3Location {
  bucket: string
  /** Before every key: empty, or ending with a slash. */
  prefix: string
  endpoint: string | null
  region: string
  pathStyle: boolean
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

const known = ['endpoint', 'region', 'pathStyle', 'accessKeyId', 'secretAccessKey']

export function parseS3Url(text: string, environmentRegion: string | undefined): S3Location {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 's3:' || url.hostname === '') throw bad('must be an s3:// URL with a bucket')
  const read = (name: string) => url.searchParams.get(name) || null
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw bad(`has no parameter ${unknown}; it has ${known.join(', ')}`)
  const endpoint = read('endpoint')
  if (endpoint !== null && !/^https?:\/\/[^/]+\/?$/.test(endpoint)) {
    throw bad('needs an endpoint such as https://storage.example.com')
  }
  const accessKeyId = read('accessKeyId')
  const secretAccessKey = read('secretAccessKey')
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    throw bad('needs both accessKeyId and secretAccessKey, or neither')
  }
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region: read('region') ?? environmentRegion ?? 'us-east-1',
    pathStyle: endpoint !== null && read('pathStyle') !== 'false',
    credentials: accessKeyId === null ? null : { accessKeyId, secretAccessKey: secretAccessKey! },
  }
}

function bad(sentence: string): OperatorError {
  return new OperatorError(`DAILIES_STORAGE_URL ${sentence}`)
}
