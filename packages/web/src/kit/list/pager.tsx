import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'
import { Select } from '../form/select.tsx'
import { Button } from '../control/button.tsx'
import field from '../form/field.module.css'
import { useFormats } from '../text/format.ts'
import layout from '../page/layout.module.css'
import type { ListSize } from './search.ts'
import { listSizes } from './search.ts'
import styles from './pager.module.css'

type Props = {
  /** What is listed, for the names of the buttons. */
  label: string
  /** As the server answers: number is 0-based. */
  page: { number: number; size: number; totalElements: number; totalPages: number }
  /** Gets the 1-based page. */
  onPage: (page: number) => void
  onSize: (size: ListSize) => void
}

/** Leads from a page behind the last one to the last: of an old URL, or after its last row went. */
export function useLastPage(page: Props['page'] | undefined, onPage: (page: number) => void) {
  const { number = 0, totalPages = 0 } = page ?? {}
  const go = useEffectEvent(onPage)
  useEffect(() => {
    if (totalPages > 0 && number >= totalPages) go(totalPages)
  }, [number, totalPages])
}

/** Where in the list one is, and how to get on. */
export function Pager({ label, page, onPage, onSize }: Props) {
  const { t } = useLingui()
  const { number: n } = useFormats()
  const { number, size, totalElements, totalPages } = page
  const from = n(totalElements === 0 ? 0 : number * size + 1)
  const to = n(Math.min((number + 1) * size, totalElements))
  const total = n(totalElements)
  const current = n(number + 1)
  const pages = n(Math.max(1, totalPages))
  return (
    <nav className={styles.pager} aria-label={label}>
      <span>{t`${from}–${to} of ${total}`}</span>
      <label className={`${layout.row} ${layout.end}`}>
        <span>{t`Rows per page`}</span>
        <Select
          className={field.small}
          value={size}
          options={listSizes.map((choice) => [choice, String(choice)] as const)}
          onChange={onSize}
        />
      </label>
      <Button small icon="left" disabled={number === 0} onPress={() => onPage(number)}>{t`Previous`}</Button>
      <span>{t`Page ${current} of ${pages}`}</span>
      <Button
        small
        iconEnd="right"
        disabled={number + 1 >= totalPages}
        onPress={() => onPage(number + 2)}
      >{t`Next`}</Button>
    </nav>
  )
}
