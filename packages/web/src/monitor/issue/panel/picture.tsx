import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { LoadedPicture } from '../../../kit/client/data-url.ts'
import { PictureFault } from '../../../kit/page/picture-fault.tsx'
import { useSession } from '../../user/model.ts'
import { shortenUrl } from '../../scan/model.ts'
import { issuePictureQuery } from '../queries.ts'
import styles from './picture.module.css'

type PictureBox = NonNullable<IssueDetail['pictureBox']>

/** Pixels around the element on each side: enough to know the place by. */
const contextMargin = 36

/** Returns start and length in pixels of the visible range along one axis; it contains the element or its beginning. */
function computeRange(
  elementStart: number,
  elementSize: number,
  pictureSize: number,
  minLength: number,
  maxLength: number,
): [number, number] {
  const rangeLength = Math.min(pictureSize, maxLength, Math.max(minLength, elementSize + 2 * contextMargin))
  const surroundingLength = rangeLength - Math.min(elementSize, rangeLength - 2 * contextMargin)
  return [Math.max(0, Math.min(pictureSize - rangeLength, elementStart - surroundingLength / 2)), rangeLength]
}

/** Returns the part of a screenshot that shows the element. A PDF shows the whole page, because users know the place by it. */
function computeVisiblePart({ type, width, height }: LoadedPicture, elementBox: PictureBox | null): PictureBox {
  if (!elementBox || type === 'image/png') return { x: 0, y: 0, width, height }
  const [leftEdge, visibleWidth] = computeRange(elementBox.x, elementBox.width, width, 208, 640)
  const [topEdge, visibleHeight] = computeRange(elementBox.y, elementBox.height, height, 84, 400)
  return { x: leftEdge, y: topEdge, width: visibleWidth, height: visibleHeight }
}

/** Returns the frame around the element. It closes at the edges of the picture, also of elements that reach beyond them. */
function computeFrame({ x, y, width, height }: PictureBox, visiblePart: PictureBox): PictureBox {
  const [leftEdge, topEdge] = [Math.max(x - 3, visiblePart.x + 2), Math.max(y - 3, visiblePart.y + 2)]
  const rightEdge = Math.min(x + width + 3, visiblePart.x + visiblePart.width - 2)
  const bottomEdge = Math.min(y + height + 3, visiblePart.y + visiblePart.height - 2)
  return { x: leftEdge, y: topEdge, width: Math.max(0, rightEdge - leftEdge), height: Math.max(0, bottomEdge - topEdge) }
}

/** A picture of the element alone, twice: without the focus on the left, with it on the right. A frame would look like a focus. */
const isFocusPair = ({ rule }: IssueDetail, { width, height }: LoadedPicture, elementBox: PictureBox | null): boolean =>
  rule === 'drive-focus-visible' && elementBox?.width === width && elementBox.height === height

/** Fills the width of the panel, also with a small element. */
const maxMagnification = 2

/** Pixels around the visible part, so that no frame touches the edge. */
const air = 8

export function IssuePicture({ issue, run: runNumber }: { issue: IssueDetail; run: number | undefined }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { data: loadedPicture, error: loadError, isError } = useQuery(issuePictureQuery(apiClient, issue.id, runNumber))
  if (isError) return <PictureFault error={loadError} />
  const { selector: elementSelector, pictureBox: elementBox } = issue
  if (!loadedPicture) return <div className={styles.picture} />
  const visiblePart = computeVisiblePart(loadedPicture, elementBox)
  const pageLabel = shortenUrl(issue.pageUrl)
  const isPair = isFocusPair(issue, loadedPicture, elementBox)
  const frameRect = elementBox && !isPair && { ...computeFrame(elementBox, visiblePart), rx: 4 }
  return (
    <svg
      className={styles.picture}
      role="img"
      aria-label={
        isPair
          ? t`The element ${elementSelector} on ${pageLabel}: without the keyboard focus on the left, with it on the right`
          : t`The element ${elementSelector} as it looks on ${pageLabel}, framed`
      }
      style={{ maxInlineSize: visiblePart.width * maxMagnification }}
      viewBox={[visiblePart.x - air, visiblePart.y - air, visiblePart.width + 2 * air, visiblePart.height + 2 * air].join(' ')}
    >
      <image href={loadedPicture.src} width={loadedPicture.width} height={loadedPicture.height} />
      {frameRect && (
        <>
          <rect className={styles.gap} {...frameRect} />
          <rect className={styles.frame} {...frameRect} />
        </>
      )}
    </svg>
  )
}
