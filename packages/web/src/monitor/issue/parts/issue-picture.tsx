import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import layout from '../../../kit/layout.module.css'
import { useSession } from '../../user/model.ts'
import { shortAddress } from '../../scan/model.ts'
import { issuePictureQuery } from '../queries.ts'
import styles from './issue-picture.module.css'

/** The element in its surroundings, with a frame around it. */
export function IssuePicture({ issue, run }: { issue: IssueDetail; run: number | undefined }) {
  const { t } = useLingui()
  const { api } = useSession()
  const picture = useQuery(issuePictureQuery(api, issue.id, run))
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  if (picture.isError) return <p className={layout.muted}>{t`The picture could not be loaded.`}</p>
  const { selector, pictureBox: box } = issue
  const page = shortAddress(issue.pageUrl)
  return (
    <div className={styles.picture}>
      {picture.data && (
        <img
          src={picture.data}
          alt={t`The element ${selector} as it looks on ${page}, framed`}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
        />
      )}
      {size && box && (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          <rect
            className={styles.gap}
            x={box.x - 3}
            y={box.y - 3}
            width={box.width + 6}
            height={box.height + 6}
            rx="4"
          />
          <rect
            className={styles.frame}
            x={box.x - 3}
            y={box.y - 3}
            width={box.width + 6}
            height={box.height + 6}
            rx="4"
          />
        </svg>
      )}
    </div>
  )
}
