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
import { excerptOf, spanInSource } from '../model-source.ts'
import { pageContentQuery } from '../queries.ts'
import styles from './source-view.module.css'

type Element = Pick<IssueDetail, 'target' | 'html'>
type Props = {
  id: PageId
  /** What is marked in it. */
  element: Element | null
}

/** The source of a page as it was tested, with an element marked in it. */
export function SourceView({ id, element }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const content = useQuery(pageContentQuery(api, id))
  if (content.isPending) return <p className={layout.muted}>{t`Loading`}</p>
  if (content.isError && content.error instanceof ApiError && content.error.status === 404)
    return <p>{t`The source of this page is not kept.`}</p>
  if (content.isError)
    return (
      <ErrorCard
        title={t`The source could not be loaded.`}
        error={content.error}
        onRetry={() => void content.refetch()}
      />
    )
  return <Source source={content.data} target={element?.target} html={element?.html} />
}

type SourceProps = { source: string } & { [key in keyof Element]: Element[key] | undefined }

/** It is a stranger's: text, never rendered. */
function Source({ source, target, html }: SourceProps) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  // Not by the issue, which is another one after each change of its status.
  const span = useMemo(
    () => (target && html !== undefined ? spanInSource(source, { target, html }) : null),
    [source, target, html],
  )
  const shown = excerptOf(source, span)
  const count = number(shown.to - shown.from)
  const whole = number(source.length)
  const line = span && number(source.slice(0, span.from).split('\n').length)
  const part = (from: number, to: number) => source.slice(Math.max(from, shown.from), Math.min(to, shown.to))
  return (
    <>
      <p role="status" className={`${layout.sm} ${layout.muted}`}>
        {span && t`The element is marked, in line ${line}.`}
        {target &&
          !span &&
          t`The element could not be marked in the source: it may be in a frame or a shadow root.`}
      </p>
      <pre
        className={styles.source}
        translate="no"
        tabIndex={0}
        role="region"
        aria-label={t`Source as it was tested`}
      >
        {span ? (
          <code>
            {part(0, span.from)}
            <Marked key={span.from}>{part(span.from, span.to)}</Marked>
            {part(span.to, source.length)}
          </code>
        ) : (
          <code>{part(0, source.length)}</code>
        )}
      </pre>
      {shown.to - shown.from < source.length && (
        <p className={`${layout.sm} ${layout.muted}`}>
          {t`Shown: ${count} of ${whole} characters. Copy takes all of them.`}
        </p>
      )}
      <div>
        <CopyButton text={source}>{t`Copy the source`}</CopyButton>
      </div>
    </>
  )
}

/** The element, which the box around it scrolls to. */
function Marked({ children }: { children: string }) {
  const { t } = useLingui()
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = ref.current!.closest('pre')!
    box.scrollTop = ref.current!.offsetTop - box.clientHeight / 3
  }, [])
  return (
    <mark ref={ref} className={styles.mark}>
      <span className={layout.hidden}>{t`Start of the element`}</span>
      {children}
      <span className={layout.hidden}>{t`End of the element`}</span>
    </mark>
  )
}
