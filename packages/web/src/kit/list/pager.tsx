import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Select } from '../form/select.tsx'
import { Button } from '../control/button.tsx'
import field from '../form/field.module.css'
import { useFormats } from '../text/format.ts'
import layout from '../page/layout.module.css'
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
}

/** Redirects from beyond the last page to the last page, for old URLs or after the last row was removed. */
export function useLastPage(page: PagerProps['page'] | undefined, onPage: (page: number) => void) {
  const { number = 0, totalPages = 0 } = page ?? {}
  const goToPage = useEffectEvent(onPage)
  useEffect(() => {
    if (totalPages > 0 && number >= totalPages) goToPage(totalPages)
  }, [number, totalPages])
}

/** Current position in the list, page navigation and page size. */
export function Pager({ label, page, onPage, onSize }: PagerProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const navRef = useRef<HTMLElement>(null)
  const { number: pageIndex, size: pageSize, totalElements: totalCount, totalPages } = page
  const firstRowNumber = formatNumber(totalCount === 0 ? 0 : pageIndex * pageSize + 1)
  const lastRowNumber = formatNumber(Math.min((pageIndex + 1) * pageSize, totalCount))
  const formattedTotal = formatNumber(totalCount)
  const currentPageNumber = formatNumber(pageIndex + 1)
  const formattedPageCount = formatNumber(Math.max(1, totalPages))
  const goToPage = (pageNumber: number) => {
    onPage(pageNumber)
    // The new page starts at its first row. The focus stays, for the next press.
    const list = navRef.current?.parentElement
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' })
  }
  return (
    <nav ref={navRef} className={styles.pager} aria-label={label}>
      <span>{t`${firstRowNumber}–${lastRowNumber} of ${formattedTotal}`}</span>
      <label className={`${layout.row} ${layout.end}`}>
        <span>{t`Rows per page`}</span>
        <Select
          className={field.small}
          value={pageSize}
          options={listSizes.map((choice) => [choice, String(choice)] as const)}
          onChange={onSize}
        />
      </label>
      <Button small icon="left" disabled={pageIndex === 0} onPress={() => goToPage(pageIndex)}>{t`Previous`}</Button>
      <span>{t`Page ${currentPageNumber} of ${formattedPageCount}`}</span>
      <Button
        small
        iconEnd="right"
        disabled={pageIndex + 1 >= totalPages}
        onPress={() => goToPage(pageIndex + 2)}
      >{t`Next`}</Button>
    </nav>
  )
}
