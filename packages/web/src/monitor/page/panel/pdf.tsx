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
import { parsePdfContent, type PdfContent, type PdfTag } from './pdf-facts.ts'
import { pageContentQuery } from '../queries.ts'
import styles from './pdf.module.css'

export function PagePdf({ id }: { id: PageId }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const contentResult = useQuery(pageContentQuery(apiClient, id))
  if (contentResult.isPending) return <p className={layout.muted}>{t`Loading`}</p>
  if (contentResult.isError)
    return (
      <ErrorCard
        title={t`The details of the document could not be loaded.`}
        error={contentResult.error}
        onRetry={() => void contentResult.refetch()}
      />
    )
  const pdfContent = parsePdfContent(contentResult.data)
  if (!pdfContent) return null
  return (
    <>
      <PdfMetadata about={pdfContent.about} />
      <DetailPart title={t`Tags, in reading order`}>
        {pdfContent.tags.length === 0 ? (
          <p>{t`The document has no tags: assistive technology has to guess.`}</p>
        ) : (
          <ul className={styles.tree}>
            {pdfContent.tags.map((tag, i) => (
              <PdfTagNode key={i} tag={tag} open />
            ))}
          </ul>
        )}
      </DetailPart>
    </>
  )
}

function PdfMetadata({ about }: { about: PdfContent['about'] }) {
  const { t } = useLingui()
  const { formatDateTime, formatNumber } = useFormats()
  const toYesOrNo = (value: boolean) => (value ? t`Yes` : t`No`)
  const factEntries: readonly (readonly [string, ReactNode])[] = [
    [t`Pages`, formatNumber(about.pages)],
    [t`Title`, about.title ?? t`None`],
    [t`Language`, about.language ?? t`None`],
    [t`Tagged`, toYesOrNo(about.isTagged)],
    [t`Says it is PDF/UA`, toYesOrNo(about.claimsPdfUa)],
    [t`Made by`, about.producer],
    [t`Last changed`, about.modifiedAt && formatDateTime(about.modifiedAt)],
  ]
  return (
    <DetailPart title={t`Document`}>
      <FactList facts={factEntries} />
    </DetailPart>
  )
}

function PdfTagNode({ tag, open: isOpen = false }: { tag: PdfTag; open?: boolean }) {
  const { t } = useLingui()
  const { page: pageNumber } = tag
  const tagLabel = (
    <>
      <code translate="no">{tag.type}</code>
      {pageNumber !== null && <span className={layout.muted}> {t`page ${pageNumber}`}</span>}
      {tag.alt !== null && <span> “{tag.alt}”</span>}
      {tag.text !== '' && <span> {tag.text}</span>}
    </>
  )
  if (tag.kids.length === 0) return <li>{tagLabel}</li>
  return (
    <li>
      <details open={isOpen}>
        <summary>{tagLabel}</summary>
        <ul>
          {tag.kids.map((kid, i) => (
            <PdfTagNode key={i} tag={kid} />
          ))}
        </ul>
      </details>
    </li>
  )
}
