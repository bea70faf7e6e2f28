import { useLingui } from '@lingui/react/macro'
import { ApiError } from '../client/client.ts'
import layout from './layout.module.css'

/** In the place of a picture that does not come. One that was stored and is not found is lost. */
export function PictureFault({ error }: { error: Error }) {
  const { t } = useLingui()
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <p className={layout.muted}>
      {isGone ? t`This picture is no longer available.` : t`The picture could not be loaded.`}
    </p>
  )
}
