import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useMutation } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import { Field } from '../../../../kit/form/field.tsx'
import { useFormats } from '../../../../kit/text/format.ts'
import layout from '../../../../kit/page/layout.module.css'
import { ErrorCard, Notice } from '../../../../kit/page/states.tsx'
import { getFieldErrorMessage } from '../../../../kit/client/problem-text.ts'
import { useSession } from '../../../user/model.ts'
import { connectionOf, hasStoredSecrets } from '../session.ts'
import type { ScanForm } from '../values.ts'
import type { Opened } from '../use-form.ts'
import { Question, SelectField, TextField, useQuestion, useWords } from './controls.tsx'
import styles from './fields.module.css'

type Props = { scanId: ScanId | null; opened: Opened }

/** How the scan signs in when the site's server itself asks, and how it sees that it is signed in. */
export function SessionFields({ scanId, opened }: Props) {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const [authType, markMeans] = watch(['authType', 'markMeans'])
  return (
    <>
      <SelectField
        name="authType"

        options={[
          { value: '', label: t`None` },
          { value: 'basic', label: t`User name and password (Basic)` },
          { value: 'ntlm', label: 'NTLMv2' },
          { value: 'ntlm_ss', label: t`NTLMv2 with session security` },
          { value: 'kerberos', label: 'Kerberos' },
          { value: 'client_cer', label: t`Client certificate` },
        ]}
      />
      {authType !== '' && (
        <>
          {authType === 'client_cer' ? (
            <KeystoreFields opened={opened} />
          ) : (
            <PasswordFields opened={opened} />
          )}
          <ConnectionCheck scanId={scanId} />
        </>
      )}
      <SelectField
        name="markMeans"

        options={[
          { value: '', label: t`Not looked for` },
          { value: 'signed-in', label: t`Shown only when signed in` },
          { value: 'signed-out', label: t`Shown only when signed out` },
        ]}
      />
      {markMeans !== '' && <MarkFields />}
    </>
  )
}

function PasswordFields({ opened }: Pick<Props, 'opened'>) {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const authType = watch('authType')
  const stored = hasStoredSecrets(opened?.settings.session, { authType })
  const hints: Partial<Record<ScanForm['authType'], string>> = {
    ntlm: t`domain\\user or user@domain`,
    ntlm_ss: t`domain\\user or user@domain`,
    kerberos: t`user@REALM, or the user alone for the server's own realm.`,
  }
  return (
    <div className={styles.pair}>
      <TextField name="username" hint={hints[authType]} />
      <TextField
        name="password"

        type="password"
        {...(stored ? { hint: t`A value is stored. Leave the field empty to keep it.` } : {})}
      />
    </div>
  )
}

function KeystoreFields({ opened }: Pick<Props, 'opened'>) {
  const { t } = useLingui()
  const { setValue, watch, formState } = useFormContext<ScanForm>()
  const { config } = useSession()
  const { formatBytes: bytes } = useFormats()
  const [name, authType] = watch(['keystoreName', 'authType'])
  const stored = hasStoredSecrets(opened?.settings.session, { authType })
  const choose = async (file: File | undefined) => {
    if (!file) return
    setValue('keystoreName', file.name, { shouldDirty: true })
    setValue('keystoreType', /\.(jks|keystore)$/i.test(file.name) ? 'JKS' : 'PKCS12', { shouldDirty: true })
    setValue('keystore', await base64Of(file), { shouldDirty: true, shouldValidate: true })
  }
  const most = bytes(config.limits.keystoreBytes)
  const words = useWords({ name: 'keystore' })
  return (
    <>
      <Field
        label={words.label}
        hint={
          name ? t`Chosen: ${name}. Choose another file to replace it.` : t`JKS or PKCS12, at most ${most}.`
        }
        error={formState.errors.keystore?.message ?? formState.errors.keystoreName?.message}
      >
        {(control) => (
          <input
            {...control}
            name="keystore"
            type="file"
            accept=".p12,.pfx,.jks,.keystore"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        )}
      </Field>
      <div className={styles.pair}>
        <SelectField
          name="keystoreType"

          options={[
            { value: 'PKCS12', label: 'PKCS12' },
            { value: 'JKS', label: 'JKS' },
          ]}
        />
        <TextField
          name="keystorePassword"

          type="password"
          {...(stored ? { hint: t`A value is stored. Leave the field empty to keep it.` } : {})}
        />
      </div>
    </>
  )
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : ''
      resolve(address.replace(/^[^,]*,/, ''))
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })

/** Asks the server whether the connection is complete and its keystore opens. */
function ConnectionCheck({ scanId }: Pick<Props, 'scanId'>) {
  const { t } = useLingui()
  const { api } = useSession()
  const { getValues, trigger } = useFormContext<ScanForm>()
  const check = useMutation({
    mutationFn: async () => {
      const fields = ['username', 'password', 'keystore', 'keystorePassword'] as const
      if (!(await trigger([...fields]))) return null
      const connection = connectionOf(getValues())
      return connection && api.validateSession({ body: { connection, ...(scanId ? { scanId } : {}) } })
    },
  })
  const answer = check.data
  return (
    <div className={layout.tight}>
      <div>
        <Button
          pending={check.isPending}
          onPress={() => check.mutate()}
        >{t`Check the sign-in details`}</Button>
      </div>
      <div role="status">
        {answer?.success && <CheckedWell certificate={answer.certificate} />}
        {answer?.success === false && (
          <Notice kind="error" title={t`The sign-in details are wrong`}>
            <CheckedBadly code={answer.code} params={answer.params} />
          </Notice>
        )}
      </div>
      {check.isError && (
        <ErrorCard title={t`The sign-in details could not be checked.`} error={check.error} />
      )}
    </div>
  )
}

function CheckedWell({ certificate }: { certificate: { subject: string; validTo: string } | null }) {
  const { t } = useLingui()
  return (
    <Notice kind="info" title={t`The sign-in details are complete`}>
      {certificate && (
        <p
          className={layout.break}
        >{t`Certificate of ${certificate.subject}, valid until ${certificate.validTo}`}</p>
      )}
    </Notice>
  )
}

function CheckedBadly({ code, params }: { code: string; params: Record<string, string | number> }) {
  const { t } = useLingui()
  const own: Record<string, string> = {
    'invalid-format': t`Invalid keystore format!`,
    'wrong-password': t`Incorrect password!`,
    'other-key-password': t`The key in the keystore has a password of its own. Give both the same.`,
    'no-key': t`There is no private key in the keystore.`,
  }
  return <p>{own[code] ?? t(getFieldErrorMessage(code, params))}</p>
}

function MarkFields() {
  const { t } = useLingui()
  const question = useQuestion('markKind')
  return (
    <Question {...question}>
      <div className={styles.pair}>
        <SelectField
          name="markKind"

          options={[
            { value: 'selector', label: t`An element (CSS selector)` },
            { value: 'text', label: t`A text on the page` },
            { value: 'url', label: t`Part of the URL` },
          ]}
        />
        <TextField name="markValue" />
      </div>
    </Question>
  )
}
