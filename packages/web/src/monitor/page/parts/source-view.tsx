import { useLingui } from '@lingui/react/macro'
import type { PageId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { ApiError } from '../../../kit/client/client.ts'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { computeExcerpt, locateElement } from '../model-source.ts'
import { pageContentQuery } from '../queries.ts'
import styles from './source-view.module.css'

type SourceElement = Pick<IssueDetail, 'target' | 'html'>
type SourceViewProps = {
  id: PageId
  element: SourceElement | null
}

export function SourceView({ id, element }: SourceViewProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const contentResult = useQuery(pageContentQuery(apiClient, id))
  if (contentResult.isPending) return <p className={layout.muted}>{t`Loading`}</p>
  if (contentResult.isError && contentResult.error instanceof ApiError && contentResult.error.status === 404)
    return <p>{t`The source of this page is not kept.`}</p>
  if (contentResult.isError)
    return (
      <ErrorCard
        title={t`The source could not be loaded.`}
        error={contentResult.error}
        onRetry={() => void contentResult.refetch()}
      />
    )
  return <SourceText source={contentResult.data} target={element?.target} html={element?.html} />
}

type SourceTextProps = { source: string } & { [key in keyof SourceElement]: SourceElement[key] | undefined }

/** Untrusted source, shown as text and never rendered. */
function SourceText({ source, target, html }: SourceTextProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  // Depends on the element instead of the issue, which is a new object after each status change.
  const elementSpan = useMemo(
    () => (target && html !== undefined ? locateElement(source, { target, html }) : null),
    [source, target, html],
  )
  const visibleSpan = computeExcerpt(source, elementSpan)
  const formattedVisibleLength = formatNumber(visibleSpan.to - visibleSpan.from)
  const formattedLength = formatNumber(source.length)
  const formattedLine = elementSpan && formatNumber(source.slice(0, elementSpan.from).split('\n').length)
  const sliceVisible = (startIndex: number, endIndex: number) =>
    source.slice(Math.max(startIndex, visibleSpan.from), Math.min(endIndex, visibleSpan.to))
  return (
    <>
      <p role="status" className={`${layout.sm} ${layout.muted}`}>
        {elementSpan && t`The element is marked, in line ${formattedLine}.`}
        {target && !elementSpan && t`The element could not be marked in the source: it may be in a frame or a shadow root.`}
      </p>
      <pre className={styles.source} translate="no" tabIndex={0} role="region" aria-label={t`Source as it was tested`}>
        {elementSpan ? (
          <code>
            {sliceVisible(0, elementSpan.from)}
            <MarkedElement key={elementSpan.from}>{sliceVisible(elementSpan.from, elementSpan.to)}</MarkedElement>
            {sliceVisible(elementSpan.to, source.length)}
          </code>
        ) : (
          <code>{sliceVisible(0, source.length)}</code>
        )}
      </pre>
      {visibleSpan.to - visibleSpan.from < source.length && (
        <p className={`${layout.sm} ${layout.muted}`}>
          {t`Shown: ${formattedVisibleLength} of ${formattedLength} characters. Copy takes all of them.`}
        </p>
      )}
      <div>
        <CopyButton text={source}>{t`Copy the source`}</CopyButton>
      </div>
    </>
  )
}

/** The marked element; the source scrolls to it. */
function MarkedElement({ children }: { children: string }) {
  const { t } = useLingui()
  const elementRef = useRef<HTMLElement>(null)
  useEffect(() => {
    const scrollContainer = elementRef.current!.closest('pre')!
    scrollContainer.scrollTop = elementRef.current!.offsetTop - scrollContainer.clientHeight / 3
  }, [])
  return (
    <mark ref={elementRef} className={styles.mark}>
      <span className={layout.hidden}>{t`Start of the element`}</span>
      {children}
      <span className={layout.hidden}>{t`End of the element`}</span>
    </mark>
  )
}
