import type { PreviewChange } from '@clearway/contract/monitor/run/preview/schema.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import styles from './scope.module.css'
import { PreviewedUrlList } from './url-list.tsx'

/** Pages that a run would test with the current settings, compared with those that the last run tested. */
export function PreviewChanges({ change: { run, keptCount, added, leftOut } }: { change: PreviewChange }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  return (
    <section className={layout.tight} aria-labelledby="preview-changes">
      <h3 id="preview-changes">{t`Compared with run ${formatNumber(run)}`}</h3>
      <p className={layout.sm}>
        <Plural
          value={keptCount}
          _0="No page that it tested is included again."
          one="# page that it tested is included again."
          other="# pages that it tested are included again."
        />
      </p>
      <ul className={styles.groups}>
        <ChangedUrls urls={added} heading={t`Added: ${formatNumber(added.length)}`} />
        {leftOut && <ChangedUrls urls={leftOut} heading={t`No longer tested: ${formatNumber(leftOut.length)}`} />}
      </ul>
      {!leftOut && (
        <p className={`${layout.muted} ${layout.sm}`}>
          <Trans>The preview ended before all pages were found, so it cannot say which would no longer be tested.</Trans>
        </p>
      )}
    </section>
  )
}

function ChangedUrls({ urls, heading }: { urls: readonly string[]; heading: string }) {
  const siteOrigin = URL.parse(urls[0] ?? '')?.origin ?? ''
  return (
    <li>
      <p className={`${layout.strong} ${layout.sm}`}>{heading}</p>
      {urls.length > 0 && <PreviewedUrlList urls={urls} siteOrigin={siteOrigin} />}
    </li>
  )
}
