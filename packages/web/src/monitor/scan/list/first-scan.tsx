import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import styles from './first-scan.module.css'

/** Empty scan list: explains what it will show and offers a URL field. */
export function FirstScan() {
  const { t } = useLingui()
  const { permissions } = useSession()
  const navigateTo = useNavigate()
  const [typedUrl, setTypedUrl] = useState('')
  if (!permissions.canCreateScans)
    return (
      <div className={layout.card}>
        <EmptyState title={t`No scans yet`}>
          <p>{t`You see a scan here once one of its admins gives you access. Ask a scan admin or your administrator.`}</p>
        </EmptyState>
      </div>
    )
  return (
    <div className={layout.card}>
      <EmptyState title={t`Add your first scan`}>
        <p>{t`A scan visits the pages of a website, tests each one, and shows here how accessible the site is and what to fix first.`}</p>
      </EmptyState>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          // The scan form adds the scheme that works.
          void navigateTo({ to: '/scans/new', search: { url: typedUrl.trim() } })
        }}
      >
        <div className={layout.tight}>
          <Field label={t`Website URL`} hint={t`For example https://www.example.org/`}>
            {(control) => (
              <input {...control} type="text" inputMode="url" value={typedUrl} onChange={(e) => setTypedUrl(e.target.value)} />
            )}
          </Field>
          <div>
            <Button kind="primary" type="submit">{t`Set up the scan`}</Button>
          </div>
        </div>
      </form>
    </div>
  )
}
