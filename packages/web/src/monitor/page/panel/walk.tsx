import { Plural, useLingui } from '@lingui/react/macro'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { type KeyboardWalk, maxWalkStops, type WalkStop } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PictureFault } from '../../../kit/page/picture-fault.tsx'
import { useDisplayedWidth } from '../../../kit/page/use-displayed-width.ts'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { useSession } from '../../user/model.ts'
import { pageViewQuery } from '../queries.ts'
import { splitViews } from '../model-view.ts'
import viewStyles from './views.module.css'
import styles from './walk.module.css'

type WalkProps = { page: PageDetail; walk: KeyboardWalk }

/** The way of the Tab key through a page: a picture with numbers and lines, and a table that says the same. */
export function PageWalk({ page, walk }: WalkProps) {
  const { t } = useLingui()
  const { walk: view } = splitViews(page)
  const faultyCount = walk.stops.filter(({ faults }) => faults.length > 0).length
  return (
    <DetailPart title={t`Way of the Tab key`}>
      <p>
        <Plural value={walk.stops.length} one="The Tab key stops at # element." other="The Tab key stops at # elements." />{' '}
        {faultyCount > 0 && <Plural value={faultyCount} one="# of them has issues." other="# of them have issues." />}{' '}
        {walk.stops.length >= maxWalkStops && t`Further elements were not tested.`}
      </p>
      {view !== null && <WalkView page={page} walk={walk} view={view} />}
      <StopTable page={page} walk={walk} />
    </DetailPart>
  )
}

function WalkView({ page, walk, view }: WalkProps & { view: number }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const pictureResult = useQuery(pageViewQuery(apiClient, page.id, view))
  const [isLarge, setIsLarge] = useState(false)
  if (pictureResult.isError) return <PictureFault error={pictureResult.error} />
  if (!pictureResult.data) return <div className={viewStyles.space} />
  const pictureProps = { stops: walk.stops, picture: pictureResult.data }
  return (
    <>
      <div className={`${viewStyles.view} ${styles.window}`} role="region" aria-label={t`Picture`} tabIndex={0}>
        <WalkPicture {...pictureProps} />
      </div>
      <p>
        <Button small onPress={() => setIsLarge(true)}>{t`Full size`}</Button>
      </p>
      {isLarge && (
        <Dialog wide title={t`Way of the Tab key`} onClose={() => setIsLarge(false)}>
          <div className={`${viewStyles.view} ${viewStyles.large}`} role="region" aria-label={t`Picture`} tabIndex={0}>
            <WalkPicture {...pictureProps} />
          </div>
          <DialogActions>
            <Button kind="primary" onPress={() => setIsLarge(false)}>{t`Close`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** Radius of a number in screen pixels. */
const radius = 11

type WalkPictureProps = { stops: readonly WalkStop[]; picture: { src: string; width: number; height: number } }

/** Picture of the page with a number at each stop, and lines between them. Squares mark stops with issues. */
function WalkPicture({ stops, picture: { src, width, height } }: WalkPictureProps) {
  const { t } = useLingui()
  const [sheet, setSheet] = useState<HTMLDivElement | null>(null)
  const displayedWidth = useDisplayedWidth(sheet)
  /** Picture pixels per screen pixel. */
  const unit = displayedWidth === 0 ? 1 : width / displayedWidth
  const points = stops.flatMap(({ box, faults }, index) => {
    if (!box || box.y >= height) return []
    const [x, y] = [box.x + Math.min(box.width / 2, radius * unit), box.y + box.height / 2]
    return [{ x, y, box, number: index + 1, isFaulty: faults.length > 0 }]
  })
  return (
    <div ref={setSheet} className={viewStyles.sheet}>
      <img {...{ src, width, height }} alt={t`The page with the stops of the Tab key. The numbers match the table below.`} />
      <svg className={styles.lines} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <polyline className={styles.outerLine} strokeWidth={4 * unit} points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
        <polyline className={styles.line} strokeWidth={2 * unit} points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
        {points.map(({ x, y, box, number, isFaulty }) => (
          <g key={number} className={isFaulty ? styles.faulty : styles.stop}>
            {isFaulty && <rect className={styles.frame} {...box} strokeWidth={2 * unit} />}
            <rect
              x={x - radius * unit}
              y={y - radius * unit}
              width={2 * radius * unit}
              height={2 * radius * unit}
              rx={isFaulty ? 2 * unit : radius * unit}
              strokeWidth={unit}
            />
            <text {...{ x, y }} fontSize={11 * unit} textAnchor="middle" dominantBaseline="central">
              {number}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

function StopTable({ page, walk }: WalkProps) {
  const { t } = useLingui()
  return (
    <div className={styles.window} role="region" aria-label={t`Stops of the Tab key`} tabIndex={0}>
      <table className={styles.table}>
        <caption className={layout.hidden}>{t`Stops of the Tab key`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Tab stop`}</th>
            <th scope="col">{t`Focused element`}</th>
            <th scope="col">{t`Issues`}</th>
          </tr>
        </thead>
        <tbody>
          {walk.stops.map((stop, index) => (
            <tr key={index}>
              <th scope="row">{index + 1}</th>
              <td>
                {stop.text === '' ? <span className={layout.muted}>{t`No text`}</span> : <bdi>{stop.text}</bdi>}{' '}
                <code translate="no">{stop.kind}</code>
              </td>
              <td>
                <StopFaults page={page} faults={stop.faults} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function StopFaults({ page, faults }: { page: PageDetail; faults: WalkStop['faults'] }) {
  const { t } = useLingui()
  if (faults.length === 0) return <span className={layout.muted}>{t`None`}</span>
  return (
    <ul className={styles.faults}>
      {faults.map(({ rule, isReview }) => (
        <li key={rule}>
          <Link
            to="/issues"
            search={{ scanId: [page.scanId], run: page.runNumber, pageId: [page.id], rule: [rule], grouped: false }}
          >
            <RuleTitle rule={rule} help={rule} isUndecided={isReview} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
