import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { PreviewChange, PreviewedUrl, PreviewEnd, ScopePreviewEvent } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { buildUrl } from '../../../kit/client/client.ts'
import { streamEvents } from '../../../kit/client/event-stream.ts'
import { useSession } from '../../user/model.ts'
import type { SentSettings } from '../form/model.ts'

export type PreviewedUrlData = z.output<typeof PreviewedUrl>
export type ScopePreviewState = {
  isWorking: boolean
  urls: readonly PreviewedUrlData[]
  end: z.output<typeof PreviewEnd> | null
  /** Reason why the preview could not start, in English. */
  detail: string | null
  change: PreviewChange | null
  failure: unknown
}
const initialPreview: ScopePreviewState = { isWorking: false, urls: [], end: null, detail: null, change: null, failure: null }

/** Adds a URL; the last verdict about it counts. */
const replaceUrl = (urls: readonly PreviewedUrlData[], next: PreviewedUrlData): PreviewedUrlData[] =>
  next.reason === 'duplicate' && urls.some(({ url }) => url === next.url)
    ? urls.map((previous) => (previous.url === next.url ? next : previous))
    : [...urls, next]

export type ScopePreviewBody = { settings: SentSettings; scanId?: ScanId }

/** Previews the scope: the server crawls the site without testing and reports each URL. */
export function useScopePreview() {
  const { deps } = useSession()
  const [previewState, setPreviewState] = useState(initialPreview)
  const runningPreview = useRef<AbortController>(null)
  useEffect(() => () => runningPreview.current?.abort(), [])
  const startPreview = async (body: ScopePreviewBody) => {
    runningPreview.current?.abort()
    const abortController = new AbortController()
    runningPreview.current = abortController
    setPreviewState({ ...initialPreview, isWorking: true })
    const onEvent = (event: z.output<typeof ScopePreviewEvent>) =>
      setPreviewState((previous) =>
        event.type === 'url'
          ? { ...previous, urls: replaceUrl(previous.urls, event.url) }
          : { ...previous, end: event.end, detail: event.detail, change: event.change },
      )
    try {
      const previewUrl = buildUrl(monitorApi.previewScope, {})
      for await (const event of streamEvents<z.output<typeof ScopePreviewEvent>>(deps, previewUrl, abortController.signal, body))
        onEvent(event)
    } catch (previewFailure) {
      if (!abortController.signal.aborted) setPreviewState((previous) => ({ ...previous, failure: previewFailure }))
    }
    if (runningPreview.current === abortController) setPreviewState((previous) => ({ ...previous, isWorking: false }))
  }
  return { preview: previewState, start: startPreview, stop: () => runningPreview.current?.abort() }
}
