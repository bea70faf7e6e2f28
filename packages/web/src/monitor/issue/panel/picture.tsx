import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { LoadedPicture } from '../../../kit/client/data-url.ts'
import { PictureFault } from '../../../kit/page/picture-fault.tsx'
import { useSession } from '../../user/model.ts'
import { shortUrl } from '../../scan/model.ts'
import { issuePictureQuery } from '../queries.ts'
import styles from './picture.module.css'

type Box = NonNullable<IssueDetail['pictureBox']>

/** Pixels of surroundings on each side. */
const margin = 40

/** What of one side of a picture to show: the element, or its beginning, amid at least `least` and at most `most` pixels. */
function stretch(start: number, size: number, whole: number, least: number, most: number): [number, number] {
  const length = Math.min(whole, most, Math.max(least, size + 2 * margin))
  const around = length - Math.min(size, length - 2 * margin)
  return [Math.max(0, Math.min(whole - length, start - around / 2)), length]
}

/** The part of a photograph that shows an element; of a PDF the whole page, since that is how people know the place. */
function partOf({ type, width, height }: LoadedPicture, box: Box | null): Box {
  if (!box || type === 'image/png') return { x: 0, y: 0, width, height }
  const [x, w] = stretch(box.x, box.width, width, 320, 640)
  const [y, h] = stretch(box.y, box.height, height, 160, 400)
  return { x, y, width: w, height: h }
}

/** The element in its surroundings, with a frame around it. */
export function IssuePicture({ issue, run }: { issue: IssueDetail; run: number | undefined }) {
  const { t } = useLingui()
  const { api } = useSession()
  const { data: picture, error, isError } = useQuery(issuePictureQuery(api, issue.id, run))
  if (isError) return <PictureFault error={error} />
  const { selector, pictureBox: box } = issue
  if (!picture) return <div className={styles.picture} />
  const part = partOf(picture, box)
  const page = shortUrl(issue.pageUrl)
  const frame = box && {
    x: box.x - 3,
    y: box.y - 3,
    width: box.width + 6,
    height: box.height + 6,
    rx: 4,
  }
  return (
    <svg
      className={styles.picture}
      role="img"
      aria-label={t`The element ${selector} as it looks on ${page}, framed`}
      width={part.width}
      height={part.height}
      viewBox={`${part.x} ${part.y} ${part.width} ${part.height}`}
    >
      <image href={picture.src} width={picture.width} height={picture.height} />
      {frame && (
        <>
          <rect className={styles.gap} {...frame} />
          <rect className={styles.frame} {...frame} />
        </>
      )}
    </svg>
  )
}
