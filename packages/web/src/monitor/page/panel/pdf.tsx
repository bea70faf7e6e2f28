import { useLingui } from '@lingui/react/macro'
import type { PageId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { FactList } from '../../../kit/page/fact-list.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { readPdfContent, type PdfContent, type PdfTag } from './pdf-facts.ts'
import { pageContentQuery } from '../queries.ts'
import styles from './pdf.module.css'

/** What a PDF says of itself, and its tags to walk through in the order in which they are read. */
export function PagePdf({ id }: { id: PageId }) {
  const { t } = useLingui()
  const { api } = useSession()
  const content = useQuery(pageContentQuery(api, id))
  if (content.isPending) return <p className={layout.muted}>{t`Loading`}</p>
  if (content.isError)
    return (
      <ErrorCard
        title={t`The details of the document could not be loaded.`}
        error={content.error}
        onRetry={() => void content.refetch()}
      />
    )
  const pdf = readPdfContent(content.data)
  if (!pdf) return null
  return (
    <>
      <About about={pdf.about} />
      <DetailPart title={t`Tags, in reading order`}>
        {pdf.tags.length === 0 ? (
          <p>{t`The document has no tags: assistive technology has to guess.`}</p>
        ) : (
          <ul className={styles.tree}>
            {pdf.tags.map((tag, i) => (
              <Tag key={i} tag={tag} open />
            ))}
          </ul>
        )}
      </DetailPart>
    </>
  )
}

function About({ about }: { about: PdfContent['about'] }) {
  const { t } = useLingui()
  const { formatDateTime: dateTime, formatNumber: number } = useFormats()
  const yes = (value: boolean) => (value ? t`Yes` : t`No`)
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t`Pages`, number(about.pages)],
    [t`Title`, about.title ?? t`None`],
    [t`Language`, about.language ?? t`None`],
    [t`Tagged`, yes(about.isTagged)],
    [t`Says it is PDF/UA`, yes(about.claimsPdfUa)],
    [t`Made by`, about.producer],
    [t`Last changed`, about.modifiedAt && dateTime(about.modifiedAt)],
  ]
  return (
    <DetailPart title={t`Document`}>
      <FactList facts={facts} />
    </DetailPart>
  )
}

function Tag({ tag, open = false }: { tag: PdfTag; open?: boolean }) {
  const { t } = useLingui()
  const { page } = tag
  const label = (
    <>
      <code translate="no">{tag.type}</code>
      {page !== null && <span className={layout.muted}> {t`page ${page}`}</span>}
      {tag.alt !== null && <span> “{tag.alt}”</span>}
      {tag.text !== '' && <span> {tag.text}</span>}
    </>
  )
  if (tag.kids.length === 0) return <li>{label}</li>
  return (
    <li>
      <details open={open}>
        <summary>{label}</summary>
        <ul>
          {tag.kids.map((kid, i) => (
            <Tag key={i} tag={kid} />
          ))}
        </ul>
      </details>
    </li>
  )
}
