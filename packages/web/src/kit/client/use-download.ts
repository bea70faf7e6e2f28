import { useRef, useState } from 'react'
import { type ClientDeps, sendRequest } from './client.ts'

/** Start and extension of a file name; the date goes between them. */
export type DownloadFileName = { name: string; extension: string }

export type DownloadState = {
  /** Bytes received so far; null if no download is in progress. */
  bytes: number | null
  error: unknown
  /** Downloads with POST, or with GET if there is no body. */
  start: (url: string, body: unknown, file: DownloadFileName) => void
  cancel: () => void
}

/** Reads a response to its end and reports the bytes received. */
async function readResponseBlob(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const receivedChunks: Uint8Array<ArrayBuffer>[] = []
  let receivedBytes = 0
  const bodyReader = response.body?.getReader()
  for (let readResult = await bodyReader?.read(); readResult && !readResult.done; readResult = await bodyReader?.read()) {
    receivedChunks.push(readResult.value as Uint8Array<ArrayBuffer>)
    receivedBytes += readResult.value.length
    onBytes(receivedBytes)
  }
  return new Blob(receivedChunks, { type: response.headers.get('content-type') ?? '' })
}

function saveBlob(blob: Blob, { name, extension }: DownloadFileName): void {
  const downloadLink = document.createElement('a')
  downloadLink.href = URL.createObjectURL(blob)
  downloadLink.download = `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`
  downloadLink.click()
  setTimeout(() => URL.revokeObjectURL(downloadLink.href), 60_000)
}

/** Downloads a file through the browser. A new download cancels the previous one. */
export function useDownload(clientDeps: ClientDeps): DownloadState {
  const [receivedBytes, setReceivedBytes] = useState<number | null>(null)
  const [downloadError, setDownloadError] = useState<unknown>(null)
  const abortControllerRef = useRef<AbortController>(null)
  const downloadFile = async (url: string, body: unknown, file: DownloadFileName) => {
    abortControllerRef.current?.abort()
    const abortController = new AbortController()
    abortControllerRef.current = abortController
    setReceivedBytes(0)
    setDownloadError(null)
    try {
      const httpMethod = body === undefined ? 'GET' : 'POST'
      const response = await sendRequest(clientDeps, url, {
        method: httpMethod,
        accept: '*/*',
        body,
        signal: abortController.signal,
      })
      saveBlob(await readResponseBlob(response, setReceivedBytes), file)
    } catch (downloadFailure) {
      if (!abortController.signal.aborted) setDownloadError(downloadFailure)
    } finally {
      if (abortControllerRef.current === abortController) setReceivedBytes(null)
    }
  }
  return {
    bytes: receivedBytes,
    error: downloadError,
    start: (url, body, file) => void downloadFile(url, body, file),
    cancel: () => abortControllerRef.current?.abort(),
  }
}
