import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import { Plural } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import styles from './scope.module.css'

/** Number of URLs of a group shown before the group is expanded. */
const collapsedUrlCount = 5

/** URLs of the site of the first start URL appear as paths. */
export function PreviewedUrlList({ urls, siteOrigin }: { urls: readonly string[]; siteOrigin: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const visibleUrls = isOpen ? urls : urls.slice(0, collapsedUrlCount)
  const hiddenCount = urls.length - visibleUrls.length
  return (
    <>
      <ul className={styles.urls}>
        {visibleUrls.map((url) => (
          <li key={url}>
            <code translate="no">{toReadableUrl(url.startsWith(`${siteOrigin}/`) ? url.slice(siteOrigin.length) : url)}</code>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button small onPress={() => setIsOpen(true)}>
          <Plural value={hiddenCount} one="Show # more" other="Show # more" />
        </Button>
      )}
    </>
  )
}
