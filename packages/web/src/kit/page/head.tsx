import { type ReactNode, useEffect, useRef } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Toolbar } from '../keyboard/toolbar.tsx'
import styles from './head.module.css'
import layout from './layout.module.css'

type PageHeadProps = {
  title: string
  /** Document title without the product name; defaults to the title. */
  document?: string
  productName: string
  /** Rest of the title for screen readers, where the screen shows it elsewhere. */
  hiddenTitle?: string | undefined
  /** One line below the title. Null or false while loading: the space is reserved to avoid a layout shift. */
  facts?: ReactNode
  crumbs?: readonly ReactNode[]
  actions?: ReactNode
}

/** Breadcrumb, title, facts and actions of a page. Sets the document's title and takes the focus after navigation. */
export function PageHead(props: PageHeadProps) {
  const { title, document: documentTitle = title, hiddenTitle, productName, facts, crumbs, actions } = props
  const { t } = useLingui()
  const headingRef = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    window.document.title = `${documentTitle} – ${productName}`
  }, [documentTitle, productName])
  useEffect(() => {
    if (hasNavigated) headingRef.current?.focus({ preventScroll: true, focusVisible: isKeyboardUsed })
    hasNavigated = true
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
          <h1 ref={headingRef} tabIndex={-1}>
            {title}
            {hiddenTitle !== undefined && <span className={layout.hidden}> {hiddenTitle}</span>}
          </h1>
          {facts !== undefined && <div className={styles.facts}>{facts}</div>}
        </div>
        {actions && (
          <Toolbar label={t`Actions`} className={styles.actions}>
            {actions}
          </Toolbar>
        )}
      </div>
    </>
  )
}

/** False on the first page, which leaves the focus to the browser so that the skip link comes first. */
let hasNavigated = false

/** True if the last input came from the keyboard. A title is no control: after a click, it takes the focus without a ring. */
let isKeyboardUsed = false
addEventListener('keydown', () => (isKeyboardUsed = true), true)
addEventListener('pointerdown', () => (isKeyboardUsed = false), true)
