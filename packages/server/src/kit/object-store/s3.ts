import { AwsClient } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkName, eachOf, isName, mostBytes, type ObjectStore, ObjectStoreError } from './store.ts'

export type S3Settings = {
  /** The bucket's, as a path of its server or as a host of its own. */
  url: string
  region: string
  keyId: string
  secret: string
  /** For one try, in milliseconds; left out, ten seconds. */
  timeoutMs?: number
}

const tries = 3

/** Worth another try: the server is overloaded, starting or ending. */
const mayPass = (status: number): boolean => status === 429 || status >= 500

/** The texts of an element, in a document whose texts are our names and the server's own words. */
const textsOf = (xml: string, element: string): string[] =>
  xml
    .split(`<${element}>`)
    .slice(1)
    .map((rest) =>
      rest
        .slice(0, Math.max(0, rest.indexOf('<')))
        .replaceAll('&amp;', '&')
        .replaceAll('&#43;', '+'),
    )

type Body = Uint8Array<ArrayBuffer> | null
type Ask = (method: string, path: string, body?: Body) => Promise<{ status: number; bytes: Buffer }>

/** Asks a bucket. @throws ObjectStoreError for every answer but success and 404 */
function bucketOf(bucket: string, settings: S3Settings): Ask {
  const { region, keyId, secret, timeoutMs = 10_000 } = settings
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: 's3',
    region,
    retries: 0,
  })

  async function once(method: string, url: string, body: Body) {
    const hash = createHash('sha256').update(body ?? '')
    // What arrives in another form than it was sent is refused by the server.
    const headers = { 'x-amz-content-sha256': hash.digest('hex') }
    const signed = await client.sign(url, { method, headers, ...(body && { body }) })
    const signal = AbortSignal.timeout(timeoutMs)
    const reply = await fetch(signed, { signal, redirect: 'error' })
    if (Number(reply.headers.get('content-length') ?? 0) > mostBytes)
      throw new Error('the answer is too large')
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
  }

  return async (method, path, body = null) => {
    for (let attempt = 1; ; attempt++) {
      const reply = await once(method, bucket + path, body).catch((error: Error) => error)
      const isOver = attempt === tries
      if (reply instanceof Error) {
        const why = (reply.cause as Error | undefined)?.message ?? reply.message
        // A second long wait helps nobody.
        if (isOver || reply.name === 'TimeoutError') throw new ObjectStoreError(`${bucket}: ${why}`)
      } else if (reply.status === 404 || (reply.status >= 200 && reply.status < 300)) return reply
      else if (isOver || !mayPass(reply.status)) {
        const code = textsOf(reply.bytes.toString('utf8'), 'Code')[0] ?? ''
        throw new ObjectStoreError(`${bucket} answers ${reply.status} ${code}`.trim())
      }
      await sleep(100 * attempt * (1 + Math.random()))
    }
  }
}

/** Objects in a bucket of S3, whoever offers it. */
export function s3Store(settings: S3Settings): ObjectStore {
  const bucket = settings.url.replace(/(?<!\/)\/+$/, '')
  const ask = bucketOf(bucket, settings)

  async function* list(): AsyncGenerator<string[]> {
    for (let token: string | undefined = ''; token !== undefined;) {
      const more: string = token && `&continuation-token=${encodeURIComponent(token)}`
      const reply = await ask('GET', `/?list-type=2&max-keys=1000${more}`)
      if (reply.status === 404) throw new ObjectStoreError(`${bucket} is not there`)
      const xml = reply.bytes.toString('utf8')
      const names = textsOf(xml, 'Key').filter(isName)
      if (names.length > 0) yield names
      token = textsOf(xml, 'NextContinuationToken')[0]
    }
  }

  return {
    where: bucket,
    put: async (name, bytes) => {
      const { status } = await ask('PUT', `/${checkName(name)}`, new Uint8Array(bytes))
      if (status === 404) throw new ObjectStoreError(`${bucket} is not there`)
    },
    get: async (name) => {
      const reply = await ask('GET', `/${checkName(name)}`)
      if (reply.status !== 404) return reply.bytes
      if (textsOf(reply.bytes.toString('utf8'), 'Code')[0] === 'NoSuchBucket')
        throw new ObjectStoreError(`${bucket} is not there`)
      return null
    },
    remove: (names) => eachOf(names, 8, (name) => ask('DELETE', `/${checkName(name)}`)),
    list,
  }
}
