import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { SignInTryEvent } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { Notice } from '../../../../kit/page/states.tsx'
import { ChangingRequestList } from '../../../page/parts/sent-requests.tsx'
import { stepFields } from '../field-table.ts'
import type { ScanForm } from '../values.ts'
import { TryControls, useFormTry } from './form-try.tsx'
import styles from './sign-in-try.module.css'

/** Signs in as a run would, and shows the start page without and with the session. */
export function SignInTry({ scanId }: { scanId: ScanId | null }) {
  const { t } = useLingui()
  const formTry = useFormTry('trySignIn', scanId, ['urls', ...stepFields.session])
  const { result } = formTry
  const tryTexts = {
    label: t`Try the sign-in`,
    hint: t`Signs in once, and opens the first start URL without and with the session.`,
    working: t`Signing in…`,
    failure: t`The sign-in could not be tried.`,
  }
  return (
    <div className={layout.tight}>
      <TryControls formTry={formTry} texts={tryTexts}>
        {result && <TryResult result={result} />}
      </TryControls>
      {result?.end === 'signed-in' && <LookOnlyAdvice requests={result.changingRequests} />}
      {result && <TryPictures result={result} />}
    </div>
  )
}

function TryResult({ result }: { result: SignInTryEvent }) {
  const { t } = useLingui()
  const { end: outcome, detail, signedInAs, memberTexts } = result
  const detailText = detail !== null && (
    <p lang="en" className={layout.break}>
      {detail}
    </p>
  )
  switch (outcome) {
    case 'signed-in':
      return (
        <Notice kind="info" title={signedInAs === null ? t`Signed in` : t`Signed in as ${signedInAs}`}>
          {memberTexts.length > 0 && (
            <>
              <p>{t`Proof: texts that only signed-in visitors see`}</p>
              <ul className={layout.break} translate="no">
                {memberTexts.map((memberText) => (
                  <li key={memberText}>{memberText}</li>
                ))}
              </ul>
            </>
          )}
        </Notice>
      )
    case 'unproved':
      return (
        <Notice kind="caution" title={t`The sign-in is not proved`}>
          <p>{t`The start page looks the same without and with the session. Start at a page that only signed-in visitors see, or add a signed-in check.`}</p>
        </Notice>
      )
    case 'refused':
      return (
        <Notice kind="error" title={t`The sign-in failed`}>
          {detailText}
          <p>{t`Check the URL, user name and password. If the form is not recognized, write or record a session script in step Scripts.`}</p>
        </Notice>
      )
    case 'problem':
      return (
        <Notice kind="error" title={t`The sign-in could not be tried.`}>
          {detailText}
        </Notice>
      )
  }
}

/** Says what look-only mode would hold on the start page, and offers it if that is nothing. */
function LookOnlyAdvice({ requests }: { requests: SignInTryEvent['changingRequests'] }) {
  const { t } = useLingui()
  const { watch, setValue } = useFormContext<ScanForm>()
  if (requests.length > 0)
    return (
      <div>
        <p>{t`The start page sends requests that may change something. Look-only mode would hold them:`}</p>
        <ChangingRequestList requests={requests} />
      </div>
    )
  if (watch('advanced.lookOnly')) return null
  const turnOn = () => setValue('advanced.lookOnly', true, { shouldDirty: true })
  return (
    <div>
      <p>{t`The start page sends nothing that may change something. Look-only mode holds such requests on every page.`}</p>
      <Button small onPress={turnOn}>{t`Turn on look-only mode`}</Button>
    </div>
  )
}

function TryPictures({ result: { end: outcome, visitorPage, memberPage } }: { result: SignInTryEvent }) {
  const { t } = useLingui()
  const memberLabel = outcome === 'refused' ? t`The last page of the sign-in` : t`With the session`
  return (
    <div className={styles.pictures}>
      {visitorPage && <TryPicture label={t`Without the session`} view={visitorPage} />}
      {memberPage && <TryPicture label={memberLabel} view={memberPage} />}
    </div>
  )
}

function TryPicture({ label, view }: { label: string; view: NonNullable<SignInTryEvent['visitorPage']> }) {
  const { t } = useLingui()
  const { title, url, status, screenshot } = view
  return (
    <figure className={styles.picture}>
      <figcaption className={layout.break}>
        <span className={layout.strong}>{label}</span>
        <span translate="no">{title}</span>
        <span className={`${layout.muted} ${layout.sm}`} translate="no">
          {status === null ? url : `${url} (HTTP ${status})`}
        </span>
      </figcaption>
      {screenshot === null ? (
        <p className={layout.muted}>{t`There is no picture.`}</p>
      ) : (
        <img src={`data:image/jpeg;base64,${screenshot}`} alt={t`Picture of the page: ${label}`} />
      )}
    </figure>
  )
}
