import { useLingui } from '@lingui/react/macro'
import type { ReactNode, RefObject } from 'react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../control/button.tsx'
import { useBeside } from './classic-view.ts'
import styles from './detail-panel.module.css'
import layout from './layout.module.css'
import { small, useMedia } from './use-media.ts'

type Props = {
  title: ReactNode
  /** A sign, a state: always in sight. */
  before?: ReactNode
  /** What can be done, always in sight. */
  actions?: ReactNode
  after?: ReactNode
  /** "3 of 38" */
  position?: string
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
  /** What is shown is the one before: the new one is on its way. */
  busy?: boolean
  children: ReactNode
  /** The id of what is shown; another one moves the focus to the title unless the buttons are used. */
  shown: string
}

/** A detail: beside its list where there is room, in its place elsewhere. Not modal: the list stays usable. Esc closes it. */
export function DetailPanel({
  title,
  before,
  actions,
  after,
  position,
  onPrevious,
  onNext,
  onClose,
  busy = false,
  children,
  shown,
}: Props) {
  const { t } = useLingui()
  const beside = useBeside()
  const narrow = useMedia(small)
  const bar = useRef<HTMLDivElement>(null)
  const panel = useEscape(onClose)
  useDocumentTitle(panel)
  return (
    <section
      ref={panel}
      className={`${layout.card} ${styles.panel} ${beside ? styles.beside : ''}`}
      aria-labelledby="detail"
      data-detail={shown}
      aria-busy={busy}
    >
      <div ref={bar} className={styles.bar}>
        {!beside &&
          (narrow ? (
            <Button kind="quiet" square icon="left" label={t`Back to the list`} onPress={onClose} />
          ) : (
            <Button small icon="left" onPress={onClose}>{t`Back to the list`}</Button>
          ))}
        {before}
        {position && <span className={`${layout.sm} ${layout.muted}`}>{position}</span>}
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
          {beside && <Button kind="quiet" square icon="close" label={t`Close`} onPress={onClose} />}
        </span>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      <div className={styles.lead}>
        <Heading key={shown} bar={bar}>
          {title}
        </Heading>
        {after}
      </div>
      {children}
    </section>
  )
}

/** For the element that gets the ref: Esc anywhere inside, unless a choice there takes it for itself. */
function useEscape(onEscape: () => void): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  const escape = useEffectEvent(onEscape)
  useEffect(() => {
    const element = ref.current
    const listen = (event: KeyboardEvent) => {
      const taken = event.defaultPrevented || event.target instanceof HTMLSelectElement
      if (event.key === 'Escape' && !taken) escape()
    }
    element?.addEventListener('keydown', listen)
    return () => element?.removeEventListener('keydown', listen)
  }, [])
  return ref
}

/** Puts the heading of the detail before the title of the document, as long as it is open. */
function useDocumentTitle(panel: RefObject<HTMLElement | null>): void {
  const list = useRef('')
  useEffect(() => {
    list.current = document.title
    return () => {
      document.title = list.current
    }
  }, [])
  useEffect(() => {
    const heading = panel.current?.querySelector('h2')?.textContent
    if (heading) document.title = `${heading} – ${list.current}`
  })
}

/** Takes the focus when another detail is shown, unless somebody walks on by the buttons. */
function Heading({ bar, children }: { bar: RefObject<HTMLDivElement | null>; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!bar.current?.contains(document.activeElement)) heading.current?.focus()
  }, [bar])
  return (
    <h2 id="detail" ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}

/** One part of a detail, with its own title. */
export function DetailPart({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
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

/** A list, and the detail of one of its rows: side by side from 76rem, else one at a time. */
export function ListWithDetail({ list, detail }: { list: ReactNode; detail: ReactNode }) {
  const beside = useBeside()
  const both = beside && detail
  // One tree for every width: what somebody types in a detail outlives the turning of a tablet.
  return (
    <div className={`${styles.whole} ${both ? styles.split : ''}`}>
      {both || !detail ? <div className={styles.list}>{list}</div> : null}
      {detail}
    </div>
  )
}
