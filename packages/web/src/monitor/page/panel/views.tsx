import { Plural, useLingui } from '@lingui/react/macro'
import type { PageDetail, PageView } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PictureFault } from '../../../kit/page/picture-fault.tsx'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { pageViewQuery, pageViewsQuery } from '../queries.ts'
import { markersOf, type Marker, type Spot, spotsOf } from './marker.ts'
import styles from './views.module.css'

/** The photographs of a page, one at a time, with a number at each place where something is open. */
export function PageViews({ page }: { page: PageDetail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const views = useQuery(pageViewsQuery(api, page.id))
  const [chosen, setChosen] = useState(0)
  const { views: count } = page
  const number = chosen + 1
  const view = views.data?.[Math.min(chosen, count - 1)]
  return (
    <DetailPart
      title={t`What the page looked like`}
      action={
        count > 1 && (
          <span className={layout.line}>
            <span className={`${layout.sm} ${layout.muted}`} role="status">
              {t`Picture ${number} of ${count}`}
            </span>
            <Button
              kind="quiet"
              square
              icon="left"
              label={t`Picture before`}
              pending={chosen === 0}
              onPress={() => setChosen(chosen - 1)}
            />
            <Button
              kind="quiet"
              square
              icon="right"
              label={t`Next picture`}
              pending={number === count}
              onPress={() => setChosen(chosen + 1)}
            />
          </span>
        )
      }
    >
      {views.isError && (
        <ErrorCard
          title={t`The pictures could not be loaded.`}
          error={views.error}
          onRetry={() => void views.refetch()}
        />
      )}
      {views.isPending && <div className={styles.space} />}
      {view && <View key={view.number} page={page} view={view} />}
    </DetailPart>
  )
}

type Picture = { src: string; width: number; height: number }

function View({ page, view }: { page: PageDetail; view: PageView }) {
  const { t } = useLingui()
  const { api } = useSession()
  const picture = useQuery(pageViewQuery(api, page.id, view.number))
  const [large, setLarge] = useState(false)
  if (picture.isError) return <PictureFault error={picture.error} />
  if (!picture.data) return <div className={styles.space} />
  const shown = { page, view, picture: picture.data }
  return (
    <>
      <Numbered {...shown}>
        <p>
          <Button small onPress={() => setLarge(true)}>{t`Full size`}</Button>
        </p>
      </Numbered>
      {large && (
        <Dialog wide title={t`What the page looked like`} onClose={() => setLarge(false)}>
          <Numbered {...shown} large>
            <DialogActions>
              <Button kind="primary" onPress={() => setLarge(false)}>{t`Close`}</Button>
            </DialogActions>
          </Numbered>
        </Dialog>
      )}
    </>
  )
}

type NumberedProps = {
  page: PageDetail
  view: PageView
  picture: Picture
  /** In its own size, not in that of the place. */
  large?: boolean
  /** Between the picture and its list. */
  children: ReactNode
}

/** A picture with its numbers, and what each of them is. */
function Numbered({ page, view, picture, large = false, children }: NumberedProps) {
  const { t } = useLingui()
  const [named, setNamed] = useState<number | null>(null)
  const { markers, rest } = useMemo(() => markersOf(view), [view])
  const [sheet, setSheet] = useState<HTMLDivElement | null>(null)
  const shown = useShownWidth(sheet)
  const { src, width, height } = picture
  const scale = shown === 0 ? 1 : shown / width
  const spots = useMemo(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    return spotsOf(markers, { width, height, scale, rem })
  }, [markers, width, height, scale])
  const title = page.title || page.url
  return (
    <>
      <div
        className={`${styles.view} ${large ? styles.large : ''}`}
        {...(large && { role: 'region', 'aria-label': t`Picture`, tabIndex: 0 })}
      >
        <div ref={setSheet} className={styles.sheet}>
          <img
            src={src}
            width={width}
            height={height}
            alt={t`${title} as it looked during the run. The numbers match the list below.`}
          />
          {/* What leads on is in the list, for the keyboard and for readers too. */}
          <div aria-hidden="true">
            {markers.map((marker, at) => (
              <MarkerBox
                key={marker.number}
                {...{ page, marker, width, height, scale }}
                spot={spots[at] ?? null}
                strong={named === marker.number}
                onName={setNamed}
              />
            ))}
          </div>
        </div>
      </div>
      {children}
      {markers.length === 0 && (
        <p className={layout.muted}>{t`No open issues are visible in this picture.`}</p>
      )}
      <ol className={styles.list}>
        {markers.map((marker) => (
          <li key={marker.number}>
            <span className={styles.number}>{marker.number}</span>
            <ul>
              {marker.issues.map((issue) => (
                <li key={issue.id}>
                  <SignLabel sign={issue.severity} />
                  <Link
                    to="/issues"
                    search={issueSearch(page, issue.id)}
                    onPointerEnter={() => setNamed(marker.number)}
                    onPointerLeave={() => setNamed(null)}
                    onFocus={() => setNamed(marker.number)}
                    onBlur={() => setNamed(null)}
                  >
                    <RuleTitle rule={issue.rule} help={issue.help} />
                  </Link>
                  <code translate="no">{issue.selector}</code>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {rest > 0 && (
        <p className={layout.muted}>
          <Plural value={rest} one="# more place is not numbered." other="# more places are not numbered." />
        </p>
      )}
    </>
  )
}

/** How wide something is on the screen, px; 0 before that is known. */
function useShownWidth(element: HTMLElement | null): number {
  const [shown, setShown] = useState(0)
  useEffect(() => {
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setShown(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return shown
}

const issueSearch = (page: PageDetail, issue: PageView['issues'][number]['id']) => ({
  scanId: [page.scanId],
  run: page.runNumber,
  pageId: [page.id],
  grouped: false,
  issue,
})

type MarkerBoxProps = {
  page: PageDetail
  marker: Marker
  /** Of the picture, in its pixels. */
  width: number
  height: number
  /** Pixels of the screen to one of the picture. */
  scale: number
  /** Where its number is, in pixels of the screen; nowhere where none is free. */
  spot: Spot | null
  strong: boolean
  onName: (number: number | null) => void
}

/** Of a frame, px. */
const border = 2

/** A frame with its number, where the pointer can follow it. */
function MarkerBox({ page, marker, width, height, scale, spot, strong, onName }: MarkerBoxProps) {
  const { box, number, issues } = marker
  const part = (length: number, whole: number) => `${(100 * length) / whole}%`
  return (
    <Link
      to="/issues"
      search={issueSearch(page, issues[0].id)}
      tabIndex={-1}
      className={`${styles.box} ${strong ? styles.strong : ''}`}
      style={{
        left: part(box.x, width),
        top: part(box.y, height),
        width: part(box.width, width),
        height: part(box.height, height),
      }}
      onPointerEnter={() => onName(number)}
      onPointerLeave={() => onName(null)}
    >
      {spot && (
        <span
          className={styles.number}
          style={{ left: spot.x - box.x * scale - border, top: spot.y - box.y * scale - border }}
        >
          {number}
        </span>
      )}
    </Link>
  )
}
