import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Select } from '../form/select.tsx'
import { Button, getButtonClass } from '../control/button.tsx'
import field from '../form/field.module.css'
import { useFormats } from '../text/format.ts'
import layout from '../page/layout.module.css'
import { smallScreenQuery, useMediaQuery } from '../page/use-media-query.ts'
import { type ListSize, listSizes } from './search.ts'
import styles from './pager.module.css'

type PagerProps = {
  /** Name of the list, used in the labels of the buttons. */
  label: string
  /** Page info from the server; `number` is 0-based. */
  page: { number: number; size: number; totalElements: number; totalPages: number }
  /** Receives the 1-based page number. */
  onPage: (page: number) => void
  onSize: (size: ListSize) => void
  /** Position in a list whose rows stand for several entries; a number of rows per page would be untrue. */
  renderPosition?: ((first: string, last: string, total: string) => ReactNode) | undefined
  /** Controls of the list, such as the choice of columns. */
  tools?: ReactNode
}

/** Redirects from beyond the last page to the last page, for old URLs or after the last row was removed. */
export function useLastPage(page: PagerProps['page'] | undefined, onPage: (page: number) => void) {
  const { number = 0, totalPages = 0 } = page ?? {}
  const goToPage = useEffectEvent(onPage)
  useEffect(() => {
    if (totalPages > 0 && number >= totalPages) goToPage(totalPages)
  }, [number, totalPages])
}

/** Returns the 1-based numbers of the first, the last, the current page and those next to it; null stands for a gap. */
export function listPageNumbers(currentPage: number, pageCount: number, neighborCount: 0 | 1): (number | null)[] {
  const lastPage = Math.max(1, pageCount)
  const numbers = [...new Set([1, currentPage - neighborCount, currentPage, currentPage + neighborCount, lastPage])].filter(
    (pageNumber) => pageNumber >= 1 && pageNumber <= lastPage,
  )
  return numbers
    .toSorted((a, b) => a - b)
    .flatMap((pageNumber, i, sorted) => {
      const missing = pageNumber - (sorted[i - 1] ?? 0) - 1
      // A gap of one page is as wide as its number, where there is room for it.
      const isShown = missing === 1 && neighborCount > 0
      return missing === 0 ? [pageNumber] : isShown ? [pageNumber - 1, pageNumber] : [null, pageNumber]
    })
}

/** The position in the list; a list that fits on the smallest page has no further controls. */
export function Pager({ label, page, onPage, onSize, renderPosition, tools }: PagerProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const navRef = useRef<HTMLElement>(null)
  const isSmallScreen = useMediaQuery(smallScreenQuery)
  const { number: pageIndex, size: pageSize, totalElements: totalCount, totalPages } = page
  const firstRowNumber = formatNumber(totalCount === 0 ? 0 : pageIndex * pageSize + 1)
  const lastRowNumber = formatNumber(Math.min((pageIndex + 1) * pageSize, totalCount))
  const formattedTotal = formatNumber(totalCount)
  const goToPage = (pageNumber: number) => {
    onPage(pageNumber)
    // The new page starts at its first row. The focus stays, for the next press.
    const list = navRef.current?.parentElement
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' })
  }
  // The head of the page counts the rows.
  if (totalCount <= listSizes[0] && !tools && !renderPosition) return null
  return (
    <nav ref={navRef} className={styles.pager} aria-label={label}>
      <span>
        {renderPosition
          ? renderPosition(firstRowNumber, lastRowNumber, formattedTotal)
          : t`${firstRowNumber}–${lastRowNumber} of ${formattedTotal}`}
      </span>
      <span className={layout.end}>{tools}</span>
      {totalCount > listSizes[0] && (
        <>
          {!renderPosition && (
            <label className={layout.line}>
              <span>{t`Rows per page`}</span>
              <Select
                className={field.small}
                value={pageSize}
                options={listSizes.map((choice) => [choice, String(choice)] as const)}
                onChange={onSize}
              />
            </label>
          )}
          <span className={styles.pages}>
            <Button small icon="left" disabled={pageIndex === 0} onPress={() => goToPage(pageIndex)}>
              <span className={styles.word}>{t`Previous`}</span>
            </Button>
            <ol className={styles.numbers}>
              {listPageNumbers(pageIndex + 1, totalPages, isSmallScreen ? 0 : 1).map((pageNumber, i) => (
                <li key={pageNumber ?? `gap ${i}`}>
                  {pageNumber === null ? (
                    '…'
                  ) : (
                    <PageButton pageNumber={pageNumber} isCurrent={pageNumber === pageIndex + 1} onPress={goToPage} />
                  )}
                </li>
              ))}
            </ol>
            <Button small iconEnd="right" disabled={pageIndex + 1 >= totalPages} onPress={() => goToPage(pageIndex + 2)}>
              <span className={styles.word}>{t`Next`}</span>
            </Button>
          </span>
        </>
      )}
    </nav>
  )
}

type PageButtonProps = { pageNumber: number; isCurrent: boolean; onPress: (pageNumber: number) => void }

function PageButton({ pageNumber, isCurrent, onPress }: PageButtonProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const formattedNumber = formatNumber(pageNumber)
  return (
    <button
      type="button"
      className={`${getButtonClass({ kind: 'quiet', small: true })} ${styles.number}`}
      aria-label={t`Page ${formattedNumber}`}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => isCurrent || onPress(pageNumber)}
    >
      {formattedNumber}
    </button>
  )
}
