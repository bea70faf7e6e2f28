import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { useLingui } from '@lingui/react/macro'
import styles from './head.module.css'

type Props = {
  title: string
  /** Title of the document, without the product's name; the title itself when left out. */
  document?: string
  productName: string
  /** One line under the title. Null, or false, while it is not known: its place is kept, so that nothing below moves. */
  facts?: ReactNode
  crumbs?: readonly ReactNode[]
  actions?: ReactNode
}

/** Breadcrumb, title, facts and actions of a page. Sets the document's title; takes the focus when the page was navigated to. */
export function PageHead({
  title,
  document: documentTitle = title,
  productName,
  facts,
  crumbs,
  actions,
}: Props) {
  const { t } = useLingui()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    window.document.title = `${documentTitle} – ${productName}`
  }, [documentTitle, productName])
  useEffect(() => {
    if (navigated) heading.current?.focus({ preventScroll: true })
    navigated = true
  }, [])
  return (
    <>
      {crumbs && (
        <nav aria-label={t`Breadcrumb`} className={styles.crumbs}>
          <ol>
            {crumbs.map((crumb, i) => (
              <li key={i}>{crumb}</li>
            ))}
            <li>
              <span aria-current="page">{title}</span>
            </li>
          </ol>
        </nav>
      )}
      <div className={styles.head}>
        <div className={styles.words}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {facts !== undefined && <div className={styles.facts}>{facts}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </>
  )
}

/** The first page after loading leaves the focus where the browser put it, so that the skip link comes first. */
let navigated = false
