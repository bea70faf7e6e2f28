import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type {
  PreviewedUrl,
  PreviewEnd,
  ScopePreviewEvent,
} from '@clearway/contract/monitor/run/preview/schema.ts'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { buildUrl } from '../../../kit/client/client.ts'
import { streamEvents } from '../../../kit/client/event-stream.ts'
import { useSession } from '../../user/model.ts'
import type { SentSettings } from '../form/model.ts'

export type Previewed = z.output<typeof PreviewedUrl>
export type ScopePreviewState = {
  working: boolean
  urls: readonly Previewed[]
  end: z.output<typeof PreviewEnd> | null
  /** English: why it could not begin. */
  detail: string | null
  failure: unknown
}
const notStarted: ScopePreviewState = {
  working: false,
  urls: [],
  end: null,
  detail: null,
  failure: null,
}

export type ScopePreviewBody = { settings: SentSettings; scanId?: ScanId }

/** Lets the server walk through the site without testing anything, and collects what it meets. */
export function useScopePreview() {
  const { deps } = useSession()
  const [preview, setPreview] = useState(notStarted)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (body: ScopePreviewBody) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setPreview({ ...notStarted, working: true })
    const seen = (event: z.output<typeof ScopePreviewEvent>) =>
      setPreview((before) =>
        event.type === 'url'
          ? { ...before, urls: [...before.urls, event.url] }
          : { ...before, end: event.end, detail: event.detail },
      )
    try {
      const url = buildUrl(monitorApi.previewScope, {})
      for await (const event of streamEvents<z.output<typeof ScopePreviewEvent>>(deps, url, stop.signal, body))
        seen(event)
    } catch (failure) {
      if (!stop.signal.aborted) setPreview((before) => ({ ...before, failure }))
    }
    if (running.current === stop) setPreview((before) => ({ ...before, working: false }))
  }
  return { preview, start, stop: () => running.current?.abort() }
}
