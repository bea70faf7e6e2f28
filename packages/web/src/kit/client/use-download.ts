import { useRef, useState } from 'react'
import type { ClientDeps } from './client.ts'
import { send } from './client.ts'

/** How the name of a file begins, and how it ends; the day stands between. */
export type FileName = { name: string; ending: string }

export type Download = {
  /** Bytes that have come so far; null while nothing is on its way. */
  bytes: number | null
  error: unknown
  /** Fetches by POST; by GET where nothing is sent. */
  start: (url: string, body: unknown, file: FileName) => void
  cancel: () => void
}

/** Reads a reply to its end, telling how many bytes have come. */
async function readAll(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    chunks.push(next.value as Uint8Array<ArrayBuffer>)
    bytes += next.value.length
    onBytes(bytes)
  }
  return new Blob(chunks, { type: response.headers.get('content-type') ?? '' })
}

function keep(blob: Blob, { name, ending }: FileName): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Fetches a file and hands it to the browser; one at a time. */
export function useDownload(deps: ClientDeps): Download {
  const [bytes, setBytes] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const control = useRef<AbortController>(null)
  const load = async (url: string, body: unknown, file: FileName) => {
    control.current?.abort()
    const own = new AbortController()
    control.current = own
    setBytes(0)
    setError(null)
    try {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await send(deps, url, { method, accept: '*/*', body, signal: own.signal })
      keep(await readAll(response, setBytes), file)
    } catch (failure) {
      if (!own.signal.aborted) setError(failure)
    } finally {
      if (control.current === own) setBytes(null)
    }
  }
  return {
    bytes,
    error,
    start: (url, body, file) => void load(url, body, file),
    cancel: () => control.current?.abort(),
  }
}
