import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../../../kit/control/button.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { draftKey, dropDraft, readDraft } from '../wizard/draft.ts'

/** A new scan that was begun in this browser and not saved. */
export function DraftNotice() {
  const { t } = useLingui()
  const { dateTime } = useFormats()
  const { permissions } = useSession()
  const key = draftKey(permissions.username, null)
  const [draft, setDraft] = useState(() => readDraft(key))
  if (!draft) return null
  const discard = () => {
    dropDraft(key)
    setDraft(null)
    document.querySelector('h1')?.focus()
  }
  const name = draft.values.name || draft.values.urls.split('\n')[0]
  const at = dateTime(draft.savedAt)
  return (
    <Notice kind="info" title={t`You began a new scan`}>
      <p className={layout.break}>{[name, at].filter(Boolean).join(', ')}</p>
      <div className={layout.row}>
        <Link to="/scans/new" className={buttonClass({ small: true })}>{t`Continue`}</Link>
        <Button small kind="quiet" onPress={discard}>{t`Discard`}</Button>
      </div>
    </Notice>
  )
}
