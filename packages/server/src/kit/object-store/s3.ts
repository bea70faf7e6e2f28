import { AwsClient } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertObjectName,
  forEachConcurrently,
  isObjectName,
  maxObjectBytes,
  type ObjectStore,
  ObjectStoreError,
} from './store.ts'

export type S3Settings = {
  /** URL of the bucket, with the bucket in the path or in the host name. */
  url: string
  region: string
  keyId: string
  secret: string
  /** Time-out of one attempt, in ms; 10 s by default. */
  timeoutMs?: number
}

const maxAttempts = 3

/** True for temporary errors: the server is overloaded, starting or stopping. */
const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500

/** The texts of an XML element. The documents contain only our object names and fixed words of the server. */
const extractTexts = (xml: string, elementName: string): string[] =>
  xml
    .split(`<${elementName}>`)
    .slice(1)
    .map((textAndRest) =>
      textAndRest
        .slice(0, Math.max(0, textAndRest.indexOf('<')))
        .replaceAll('&amp;', '&')
        .replaceAll('&#43;', '+'),
    )

type RequestBody = Uint8Array<ArrayBuffer> | null
type BucketRequest = (method: string, path: string, body?: RequestBody) => Promise<{ status: number; bytes: Buffer }>

/** Creates a function that sends requests to a bucket. @throws ObjectStoreError for all statuses except success and 404 */
function createBucketClient(bucketUrl: string, settings: S3Settings): BucketRequest {
  const { region, keyId, secret, timeoutMs = 10_000 } = settings
  const awsClient = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region, retries: 0 })

  async function sendOnce(method: string, url: string, body: RequestBody) {
    const bodyHash = createHash('sha256').update(body ?? '')
    // The server refuses a body whose hash differs.
    const hashHeaders = { 'x-amz-content-sha256': bodyHash.digest('hex') }
    const signedRequest = await awsClient.sign(url, { method, headers: hashHeaders, ...(body && { body }) })
    const timeoutSignal = AbortSignal.timeout(timeoutMs)
    const s3Response = await fetch(signedRequest, { signal: timeoutSignal, redirect: 'error' })
    if (Number(s3Response.headers.get('content-length') ?? 0) > maxObjectBytes) throw new Error('the answer is too large')
    return { status: s3Response.status, bytes: Buffer.from(await s3Response.arrayBuffer()) }
  }

  return async (method, path, body = null) => {
    for (let attempt = 1; ; attempt++) {
      const s3Response = await sendOnce(method, bucketUrl + path, body).catch((error: Error) => error)
      const isLastAttempt = attempt === maxAttempts
      if (s3Response instanceof Error) {
        const reason = (s3Response.cause as Error | undefined)?.message ?? s3Response.message
        // A second long wait would not help.
        if (isLastAttempt || s3Response.name === 'TimeoutError') throw new ObjectStoreError(`${bucketUrl}: ${reason}`)
      } else if (s3Response.status === 404 || (s3Response.status >= 200 && s3Response.status < 300)) return s3Response
      else if (isLastAttempt || !isTemporaryStatus(s3Response.status)) {
        const errorCode = extractTexts(s3Response.bytes.toString('utf8'), 'Code')[0] ?? ''
        throw new ObjectStoreError(`${bucketUrl} answers ${s3Response.status} ${errorCode}`.trim())
      }
      await sleep(100 * attempt * (1 + Math.random()))
    }
  }
}

export function createS3Store(settings: S3Settings): ObjectStore {
  const bucketUrl = settings.url.replace(/(?<!\/)\/+$/, '')
  const sendRequest = createBucketClient(bucketUrl, settings)

  async function* listNames(): AsyncGenerator<string[]> {
    for (let continuationToken: string | undefined = ''; continuationToken !== undefined;) {
      const continuationQuery: string = continuationToken && `&continuation-token=${encodeURIComponent(continuationToken)}`
      const listReply = await sendRequest('GET', `/?list-type=2&max-keys=1000${continuationQuery}`)
      if (listReply.status === 404) throw new ObjectStoreError(`${bucketUrl} is not there`)
      const listXml = listReply.bytes.toString('utf8')
      const objectNames = extractTexts(listXml, 'Key').filter(isObjectName)
      if (objectNames.length > 0) yield objectNames
      continuationToken = extractTexts(listXml, 'NextContinuationToken')[0]
    }
  }

  return {
    where: bucketUrl,
    put: async (name, bytes) => {
      const { status } = await sendRequest('PUT', `/${assertObjectName(name)}`, new Uint8Array(bytes))
      if (status === 404) throw new ObjectStoreError(`${bucketUrl} is not there`)
    },
    get: async (name) => {
      const objectReply = await sendRequest('GET', `/${assertObjectName(name)}`)
      if (objectReply.status !== 404) return objectReply.bytes
      if (extractTexts(objectReply.bytes.toString('utf8'), 'Code')[0] === 'NoSuchBucket')
        throw new ObjectStoreError(`${bucketUrl} is not there`)
      return null
    },
    remove: (names) => forEachConcurrently(names, 8, (name) => sendRequest('DELETE', `/${assertObjectName(name)}`)),
    list: listNames,
  }
}
