import { useLingui } from '@lingui/react/macro'
import { ApiError } from '../client/client.ts'
import layout from './layout.module.css'

/** Replaces a picture that cannot be loaded. A stored picture that is not found is lost. */
export function PictureFault({ error }: { error: Error }) {
  const { t } = useLingui()
  const isPictureLost = error instanceof ApiError && error.status === 404
  return (
    <p className={layout.muted}>
      {isPictureLost ? t`This picture is no longer available.` : t`The picture could not be loaded.`}
    </p>
  )
}
