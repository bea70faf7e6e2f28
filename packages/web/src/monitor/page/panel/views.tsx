import { Plural, useLingui } from '@lingui/react/macro'
import type { PageDetail, PageView } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { Select } from '../../../kit/form/select.tsx'
import { getStateName } from '../../issue/parts/state-label.ts'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PictureFault } from '../../../kit/page/picture-fault.tsx'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useDisplayedWidth } from '../../../kit/page/use-displayed-width.ts'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { splitViews } from '../model-view.ts'
import { pageViewQuery, pageViewsQuery } from '../queries.ts'
import { buildMarkers, type IssueMarker, type LabelArea, placeLabels } from './marker.ts'
import styles from './views.module.css'

export function PageViews({ page }: { page: PageDetail }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const viewsResult = useQuery(pageViewsQuery(apiClient, page.id))
  const { own: ownViews, states } = splitViews(page)
  const [chosenView, setChosenView] = useState(ownViews[0] ?? 1)
  const currentView = viewsResult.data?.find(({ number }) => number === chosenView)
  const stateOptions = [
    [ownViews[0] ?? 1, t`As loaded`] as const,
    ...states.map(({ state, view }) => [view, getStateName(state, t)] as const),
  ]
  const ownIndex = ownViews.indexOf(chosenView)
  return (
    <DetailPart
      title={t`What the page looked like`}
      action={ownIndex !== -1 && ownViews.length > 1 && <OwnViewChoice {...{ ownViews, ownIndex }} onChoose={setChosenView} />}
    >
      {states.length > 0 && (
        <Field label={t`State of the page`} width="narrow">
          {(control) => (
            <Select
              {...control}
              value={ownIndex === -1 ? chosenView : (ownViews[0] ?? 1)}
              options={stateOptions}
              onChange={setChosenView}
            />
          )}
        </Field>
      )}
      {viewsResult.isError && (
        <ErrorCard
          title={t`The pictures could not be loaded.`}
          error={viewsResult.error}
          onRetry={() => void viewsResult.refetch()}
        />
      )}
      {viewsResult.isPending && <div className={styles.space} />}
      {currentView && <ScreenshotView key={currentView.number} page={page} view={currentView} />}
    </DetailPart>
  )
}

type OwnViewChoiceProps = { ownViews: readonly number[]; ownIndex: number; onChoose: (view: number) => void }

/** Position among the pictures of the visit, with buttons to the previous and the next one. */
function OwnViewChoice({ ownViews, ownIndex, onChoose }: OwnViewChoiceProps) {
  const { t } = useLingui()
  const [viewNumber, viewCount] = [ownIndex + 1, ownViews.length]
  const [previousView, nextView] = [ownViews[ownIndex - 1], ownViews[ownIndex + 1]]
  return (
    <span className={layout.line}>
      <span className={`${layout.sm} ${layout.muted}`} role="status">
        {t`Picture ${viewNumber} of ${viewCount}`}
      </span>
      <Button
        kind="quiet"
        square
        icon="left"
        label={t`Picture before`}
        pending={previousView === undefined}
        onPress={() => previousView !== undefined && onChoose(previousView)}
      />
      <Button
        kind="quiet"
        square
        icon="right"
        label={t`Next picture`}
        pending={nextView === undefined}
        onPress={() => nextView !== undefined && onChoose(nextView)}
      />
    </span>
  )
}

type ViewPicture = { src: string; width: number; height: number }

function ScreenshotView({ page, view }: { page: PageDetail; view: PageView }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const pictureResult = useQuery(pageViewQuery(apiClient, page.id, view.number))
  const [isLarge, setIsLarge] = useState(false)
  if (pictureResult.isError) return <PictureFault error={pictureResult.error} />
  if (!pictureResult.data) return <div className={styles.space} />
  const viewProps = { page, view, picture: pictureResult.data }
  return (
    <>
      <NumberedPicture {...viewProps}>
        <p className={styles.corner}>
          <Button small onPress={() => setIsLarge(true)}>{t`Full size`}</Button>
        </p>
      </NumberedPicture>
      {isLarge && (
        <Dialog wide title={t`What the page looked like`} onClose={() => setIsLarge(false)}>
          <NumberedPicture {...viewProps} isLarge>
            <DialogActions>
              <Button kind="primary" onPress={() => setIsLarge(false)}>{t`Close`}</Button>
            </DialogActions>
          </NumberedPicture>
        </Dialog>
      )}
    </>
  )
}

type NumberedPictureProps = {
  page: PageDetail
  view: PageView
  picture: ViewPicture
  /** Full size instead of the available width. */
  isLarge?: boolean
  /** Shown between the picture and its list; below the list in full size. */
  children: ReactNode
}

/** Picture with numbered markers, and the list that explains them. */
function NumberedPicture({ page, view, picture, isLarge = false, children }: NumberedPictureProps) {
  const { t } = useLingui()
  const [highlightedNumber, setHighlightedNumber] = useState<number | null>(null)
  const { markers: issueMarkers, unnumberedCount } = useMemo(() => buildMarkers(view), [view])
  const [pictureElement, setPictureElement] = useState<HTMLDivElement | null>(null)
  const displayedWidth = useDisplayedWidth(pictureElement)
  const { src: pictureUrl, width: pictureWidth, height: pictureHeight } = picture
  const shownPart = isLarge ? null : findShownPart(issueMarkers, pictureWidth)
  const displayScale = displayedWidth === 0 ? 1 : displayedWidth / pictureWidth
  const labelAreas = useMemo(() => {
    const rootFontSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    return placeLabels(issueMarkers, { width: pictureWidth, height: pictureHeight, scale: displayScale, rem: rootFontSize })
  }, [issueMarkers, pictureWidth, pictureHeight, displayScale])
  const pageTitle = page.title || page.url
  // Below the last marker, a small picture shows nothing to look for.
  const markersEnd = Math.max(0, ...issueMarkers.map(({ box }) => box.y + box.height)) * displayScale
  return (
    <>
      <div
        className={`${styles.view} ${isLarge ? styles.large : ''} ${shownPart ? styles.part : ''}`}
        {...(!isLarge && markersEnd > 0 && { style: { maxHeight: `max(10rem, ${markersEnd + 88}px)` } })}
        {...(isLarge && { role: 'region', 'aria-label': t`Picture`, tabIndex: 0 })}
      >
        <div
          ref={setPictureElement}
          className={styles.sheet}
          {...(shownPart && {
            style: {
              width: `${(100 * pictureWidth) / shownPart.width}%`,
              marginInlineStart: `${(-100 * shownPart.x) / shownPart.width}%`,
            },
          })}
        >
          <img
            src={pictureUrl}
            width={pictureWidth}
            height={pictureHeight}
            alt={t`${pageTitle} as it looked during the run. The numbers match the list below.`}
          />
          {/* The links are in the list, which also serves keyboard and screen reader users. */}
          <div aria-hidden="true">
            {issueMarkers.map((marker, index) => (
              <MarkerBox
                key={marker.number}
                {...{ page, marker, width: pictureWidth, height: pictureHeight, scale: displayScale }}
                labelArea={labelAreas[index] ?? null}
                isHighlighted={highlightedNumber === marker.number}
                onHighlight={setHighlightedNumber}
              />
            ))}
          </div>
        </div>
      </div>
      {!isLarge && children}
      {issueMarkers.length === 0 && <p className={layout.muted}>{t`No open issues are visible in this picture.`}</p>}
      <ol className={styles.list}>
        {issueMarkers.map((marker) => (
          <li key={marker.number}>
            <span className={styles.number}>{marker.number}</span>
            <ul>
              {marker.issues.map((issue) => (
                <li key={issue.id}>
                  <SignLabel sign={issue.severity} />
                  <Link
                    to="/issues"
                    search={createIssueSearch(page, issue.id)}
                    onPointerEnter={() => setHighlightedNumber(marker.number)}
                    onPointerLeave={() => setHighlightedNumber(null)}
                    onFocus={() => setHighlightedNumber(marker.number)}
                    onBlur={() => setHighlightedNumber(null)}
                  >
                    <RuleTitle rule={issue.rule} help={issue.help} isUndecided={issue.severity === 'needs review'} />
                  </Link>
                  <code translate="no">{issue.selector}</code>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {unnumberedCount > 0 && (
        <p className={layout.muted}>
          <Plural value={unnumberedCount} one="# more place is not numbered." other="# more places are not numbered." />
        </p>
      )}
      {isLarge && children}
    </>
  )
}

/** Pixels of the picture around its markers, and the least width of a part of it. */
const partMargin = 80
const minPartWidth = 560

/** The part of a small picture that has the markers, if it is much narrower: the whole one would be too small to read. */
function findShownPart(markers: readonly IssueMarker[], pictureWidth: number): { x: number; width: number } | null {
  const startX = Math.min(...markers.map(({ box }) => box.x)) - partMargin
  const endX = Math.max(...markers.map(({ box }) => box.x + box.width)) + partMargin
  const width = Math.max(minPartWidth, endX - startX)
  if (markers.length === 0 || width > pictureWidth * 0.75) return null
  return { x: Math.min(Math.max(0, startX), pictureWidth - width), width }
}

const createIssueSearch = (page: PageDetail, issue: PageView['issues'][number]['id']) => ({
  scanId: [page.scanId],
  run: page.runNumber,
  pageId: [page.id],
  grouped: false,
  issue,
})

type MarkerBoxProps = {
  page: PageDetail
  marker: IssueMarker
  width: number
  height: number
  /** Screen pixels per picture pixel. */
  scale: number
  /** Place of the number in screen pixels; null if there is no room. */
  labelArea: LabelArea | null
  isHighlighted: boolean
  onHighlight: (number: number | null) => void
}

/** Border width of a frame in pixels. */
const borderWidth = 2

/** Frame with its number. It highlights its list entry on hover. */
function MarkerBox({ page, marker, width, height, scale, labelArea, isHighlighted, onHighlight }: MarkerBoxProps) {
  const { box: markerBox, number: markerNumber, issues: boxIssues } = marker
  const toPercent = (partLength: number, totalLength: number) => `${(100 * partLength) / totalLength}%`
  return (
    <Link
      to="/issues"
      search={createIssueSearch(page, boxIssues[0].id)}
      tabIndex={-1}
      className={`${styles.box} ${isHighlighted ? styles.strong : ''}`}
      style={{
        left: toPercent(markerBox.x, width),
        top: toPercent(markerBox.y, height),
        width: toPercent(markerBox.width, width),
        height: toPercent(markerBox.height, height),
      }}
      onPointerEnter={() => onHighlight(markerNumber)}
      onPointerLeave={() => onHighlight(null)}
    >
      {labelArea && (
        <span
          className={styles.number}
          style={{ left: labelArea.x - markerBox.x * scale - borderWidth, top: labelArea.y - markerBox.y * scale - borderWidth }}
        >
          {markerNumber}
        </span>
      )}
    </Link>
  )
}
