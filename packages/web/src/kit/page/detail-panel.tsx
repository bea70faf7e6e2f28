import { useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../control/button.tsx'
import { useSideBySide } from './classic-view.ts'
import styles from './detail-panel.module.css'
import layout from './layout.module.css'
import { smallScreenQuery, useMediaQuery } from './use-media-query.ts'

type DetailPanelProps = {
  title: ReactNode
  /** Icon and state; always visible. */
  leadingContent?: ReactNode
  /** Facts below the title. */
  subtitle?: ReactNode
  /** Controls below the title; always visible. */
  actions?: ReactNode
  trailingContent?: ReactNode
  /** "3 of 38" */
  position?: string
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
  /** The content belongs to the previous detail while the new one loads. */
  isBusy?: boolean
  children: ReactNode
  /** Id of the detail. A new id moves the focus to the title, unless the navigation buttons are in use. */
  detailId: string
}

/**
 * Detail of a row: next to its list if there is room, otherwise in its place. Not modal: the list stays usable. Esc closes it.
 */
export function DetailPanel({
  title,
  leadingContent,
  subtitle,
  actions,
  trailingContent,
  position,
  onPrevious,
  onNext,
  onClose,
  isBusy = false,
  children,
  detailId,
}: DetailPanelProps) {
  const { t } = useLingui()
  const isSideBySide = useSideBySide()
  const isSmallScreen = useMediaQuery(smallScreenQuery)
  const toolbarRef = useRef<HTMLDivElement>(null)
  const panelRef = useEscape(onClose)
  useDocumentTitle(panelRef)
  useEndOfPage(panelRef)
  return (
    <section
      ref={panelRef}
      className={`${layout.card} ${styles.panel} ${isSideBySide ? styles.beside : ''}`}
      aria-labelledby="detail"
      data-detail={detailId}
      aria-busy={isBusy}
    >
      <div ref={toolbarRef} className={styles.bar}>
        <div className={styles.line}>
          {!isSideBySide &&
            (isSmallScreen ? (
              <Button kind="quiet" square icon="left" label={t`Back to the list`} onPress={onClose} />
            ) : (
              <Button small icon="left" onPress={onClose}>{t`Back to the list`}</Button>
            ))}
          {leadingContent}
          {position && <span className={`${layout.sm} ${layout.muted} ${layout.nowrap}`}>{position}</span>}
          <span className={`${layout.line} ${layout.end}`}>
            <Button
              kind="quiet"
              square
              icon="up"
              label={t`Previous`}
              shortcut="previous"
              pending={!onPrevious}
              onPress={() => onPrevious?.()}
            />
            <Button
              kind="quiet"
              square
              icon="down"
              label={t`Next`}
              shortcut="next"
              pending={!onNext}
              onPress={() => onNext?.()}
            />
            {isSideBySide && <Button kind="quiet" square icon="close" label={t`Close`} onPress={onClose} />}
          </span>
        </div>
      </div>
      <div className={styles.lead}>
        <DetailHeading key={detailId} bar={toolbarRef}>
          {title}
        </DetailHeading>
        {subtitle && <p className={`${layout.sm} ${styles.subtitle}`}>{subtitle}</p>}
        {!actions && trailingContent}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
      {actions && <div className={styles.trailing}>{trailingContent}</div>}
      {children}
    </section>
  )
}

/** Returns a ref. Esc inside the element calls back, unless a control inside handles the key. */
function useEscape(onEscape: () => void): RefObject<HTMLElement | null> {
  const elementRef = useRef<HTMLElement>(null)
  const handleEscape = useEffectEvent(onEscape)
  useEffect(() => {
    const panelElement = elementRef.current
    const onKeyDown = (event: KeyboardEvent) => {
      const isHandled = event.defaultPrevented || event.target instanceof HTMLSelectElement
      if (event.key === 'Escape' && !isHandled) handleEscape()
    }
    panelElement?.addEventListener('keydown', onKeyDown)
    return () => panelElement?.removeEventListener('keydown', onKeyDown)
  }, [])
  return elementRef
}

/** Space below the main column, from which on the footer limits the height of the detail. */
const endOfPageMargin = '64px'

/** Marks the detail while the footer is in view. */
function useEndOfPage(panelRef: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const footerElement = document.querySelector('footer')
    if (!footerElement) return
    const intersectionObserver = new IntersectionObserver(
      ([entry]) => panelRef.current?.toggleAttribute('data-at-end', entry?.isIntersecting),
      { rootMargin: `0px 0px ${endOfPageMargin}` },
    )
    intersectionObserver.observe(footerElement)
    return () => intersectionObserver.disconnect()
  }, [panelRef])
}

/** Prepends the heading of the open detail to the document's title. */
function useDocumentTitle(panelRef: RefObject<HTMLElement | null>): void {
  const listTitleRef = useRef('')
  useEffect(() => {
    listTitleRef.current = document.title
    return () => {
      document.title = listTitleRef.current
    }
  }, [])
  useEffect(() => {
    const headingText = panelRef.current?.querySelector('h2')?.textContent
    if (headingText) document.title = `${headingText} – ${listTitleRef.current}`
  })
}

/** Takes the focus when another detail is shown, unless the user navigates with the buttons. */
function DetailHeading({ bar: toolbarRef, children }: { bar: RefObject<HTMLDivElement | null>; children: ReactNode }) {
  const headingRef = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!toolbarRef.current?.contains(document.activeElement)) headingRef.current?.focus()
  }, [toolbarRef])
  return (
    <h2 id="detail" ref={headingRef} tabIndex={-1}>
      {children}
    </h2>
  )
}

export function DetailPart({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.part}>
      <div className={styles.partHead}>
        <h3>{title}</h3>
        {action}
      </div>
      {children}
    </div>
  )
}

type ListWithDetailProps = {
  /** Filters. They keep the full width, so that opening a detail moves no row. */
  toolbar: ReactNode
  list: ReactNode
  detail: ReactNode
}

/** A list and the detail of one of its rows: side by side from 76rem, otherwise one at a time. */
export function ListWithDetail({ toolbar, list, detail }: ListWithDetailProps) {
  const isSideBySide = useSideBySide()
  const areBothShown = isSideBySide && Boolean(detail)
  const isListShown = areBothShown || !detail
  // One tree for every width: input in a detail survives the rotation of a tablet.
  return (
    <>
      {isListShown && toolbar}
      <div className={`${styles.whole} ${areBothShown ? styles.split : ''}`}>
        {isListShown && (
          <div className={styles.list} data-beside-detail={areBothShown ? true : undefined}>
            {list}
          </div>
        )}
        {detail}
      </div>
    </>
  )
}
